# Microaggregates one table with sdcMicro. Run by cells.py, spoken to like grouping.py.
#
# usage: Rscript sdcmicro.R METHOD TABLE.csv K RELEASED.csv
# METHOD is one of microaggregation(), or mafast, which is what it calls for a single column.
# Prints two JSON lines: before the call what it took to get there, after it seconds and memory, or the error.

arguments <- commandArgs(trailingOnly = TRUE)
started <- proc.time()[["elapsed"]]
suppressPackageStartupMessages(library(sdcMicro))

resident <- function(what) {
  line <- grep(paste0("^", what), readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

data <- read.csv(arguments[2])
before <- resident("VmRSS")
writeLines("5", "/proc/self/clear_refs")
cat(sprintf('{"ready_seconds": %f, "before_mib": %f, "version": "%s"}\n', proc.time()[["elapsed"]] - started, before,
            as.character(packageVersion("sdcMicro"))))
aggregate_by <- function(method, k) {
  if (method == "mafast") mafast(data, aggr = k) else microaggregation(data, aggr = k, method = method)$mx
}
start <- proc.time()[["elapsed"]]
released <- tryCatch(aggregate_by(arguments[1], as.integer(arguments[3])),
                     error = function(e) gsub('["\\\\\n]', " ", conditionMessage(e)))
took <- proc.time()[["elapsed"]] - start
peak <- resident("VmHWM") - before
if (is.character(released)) {
  cat(sprintf('{"error": "%s", "seconds": %f, "peak_mib": %f}\n', substr(released[1], 1, 110), took, peak))
} else {
  write.csv(format(as.data.frame(released), digits = 17), arguments[4], row.names = FALSE, quote = FALSE)
  cat(sprintf('{"seconds": %f, "peak_mib": %f}\n', took, peak))
}
