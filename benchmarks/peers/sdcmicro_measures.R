# Measures of published tables by sdcMicro. Run by questions.py (keys) and disclosure.py (numbers).
#
# usage: Rscript sdcmicro_measures.R keys TABLE.csv QUASI,... SENSITIVE ROWS
#        Rscript sdcmicro_measures.R numbers ORIGINAL.csv RELEASED.csv
# ROWS leaves out the first rows. Prints one JSON line: the version, the measures, seconds until then, loading the
# package included.

start <- proc.time()[["elapsed"]]
suppressPackageStartupMessages(library(sdcMicro))
arguments <- commandArgs(trailingOnly = TRUE)

# The smallest class and the least number of different sensitive values in one.
keys <- function(file, quasi, sensitive, left_out) {
  data <- read.csv(file, stringsAsFactors = TRUE, na.strings = "")
  data <- data[seq_len(nrow(data)) > as.integer(left_out), ]
  quasi <- strsplit(quasi, ",")[[1]]
  diversity <- ldiversity(data, ldiv_index = sensitive, keyVars = quasi)
  list(k = min(freqCalc(data, keyVars = quasi)$fk), l = min(diversity[, 1]))
}

# Interval disclosure, and the losses of released numbers.
numbers <- function(original, released) {
  x <- read.csv(original)
  xm <- read.csv(released)
  list(dRisk = dRisk(x, xm = xm), IL1s = dUtility(x, xm = xm, method = "IL1s"), eigen = dUtility(x, xm = xm, method = "eigen"))
}

told <- list(version = as.character(packageVersion("sdcMicro")))
answer <- tryCatch(do.call(arguments[1], as.list(arguments[-1])), error = conditionMessage)
if (is.character(answer)) told$error <- substr(answer[1], 1, 110) else told$measures <- answer
told$seconds <- proc.time()[["elapsed"]] - start
cat(jsonlite::toJSON(told, auto_unbox = TRUE, digits = NA), "\n")
