# SPDX-License-Identifier: MIT
# Group-by, join or sort of a table by data.table; reading is not counted.
suppressMessages(library(data.table))
setDTthreads(2)
arguments <- commandArgs(trailingOnly = TRUE)
table <- fread(arguments[2], showProgress = FALSE)
if (arguments[1] == "join") other <- fread(arguments[3], showProgress = FALSE)
cpu <- proc.time()
begin <- Sys.time()
made <- switch(arguments[1],
    group = table[, .(n = .N, sum = sum(x), mean = mean(x)), by = g],
    join = other[table, on = "k", nomatch = NULL],
    sort = table[order(g, -x)])
seconds <- as.numeric(Sys.time() - begin, units = "secs")
used <- proc.time() - cpu
cat(sprintf('{"seconds": %.6f, "cpu": %.3f, "quality": "%d rows, %d columns"}\n', seconds,
            used[["user.self"]] + used[["sys.self"]], nrow(made), ncol(made)))
