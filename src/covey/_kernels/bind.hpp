// What the binding files share: arrays over kernel memory, and Ctrl-C inside a kernel.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "memory.hpp"

namespace covey {

namespace nb = nanobind;

template <class T>
using Array = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

// Signals reach the main thread alone. Another thread of Python is stopped by an exception that is raised in it where it next
// runs Python (covey.files.threads): so it runs some, the least there is.
inline void check_signals() {
    nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    static PyObject* const nothing = Py_CompileString("None", "covey", Py_eval_input);
    static PyObject* const names = PyDict_New();
    if (nothing == nullptr || names == nullptr) throw nb::python_error();
    PyObject* const done = PyEval_EvalCode(nothing, names, names);
    if (done == nullptr) throw nb::python_error();
    Py_DECREF(done);
}

// The value of that number of an enum whose values are 0 .. last.
template <class Enum>
Enum to_enum(int number, Enum last, const char* what) {
    if (number >= 0 && number <= static_cast<int>(last)) return static_cast<Enum>(number);
    throw std::invalid_argument("no " + std::string(what) + " has the number " + std::to_string(number) +
                                "; give 0 to " + std::to_string(static_cast<int>(last)));
}

// The first n values, with the buffer's memory.
template <class T>
Array<T> to_array(Buffer<T> buffer, std::size_t n) {
    T* data = buffer.data();
    nb::capsule owner(data, [](void* p) noexcept { Free()(p); });
    buffer.release();
    return Array<T>(data, {n}, owner);
}

template <class T>
Array<T> to_array(const std::vector<T>& values) {
    Buffer<T> buffer(values.size());
    std::copy(values.begin(), values.end(), buffer.data());
    return to_array(std::move(buffer), values.size());
}

}  // namespace covey
