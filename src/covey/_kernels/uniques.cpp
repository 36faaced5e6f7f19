// Python's view of the search for minimal sample uniques. No algorithm here.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <tuple>
#include <vector>

#include "bind.hpp"
#include "uniques/special.hpp"

using namespace covey;
using namespace covey::uniques;
using namespace nb::literals;

namespace {

using Columns = nb::ndarray<const Code, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::tuple<Array<std::int64_t>, Array<Set>> minimal(const Columns& codes, const std::vector<Code>& values, int most) {
    const Table table{codes.data(), codes.shape(1), values};
    Uniques found;
    {
        nb::gil_scoped_release release;
        Poll poll(check_signals);
        found = Search(table, most, poll).run();
    }
    return {to_array(found.ends), to_array(found.sets)};
}

}  // namespace

NB_MODULE(uniques, m) { m.def("minimal", &minimal, "codes"_a.noconvert(), "values"_a, "most"_a); }
