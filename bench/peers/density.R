# SPDX-License-Identifier: MIT
# Dense regions by the package dbscan: dbscan, optics (with its clusters below a line), or hdbscan.
suppressMessages(library(dbscan))
arguments <- commandArgs(TRUE)
file <- file(arguments[2], "rb")
head <- readBin(file, "raw", 10)
text <- rawToChar(readBin(file, "raw", as.integer(head[9]) + 256L * as.integer(head[10])))
text <- sub(".*shape", "", text)
shape <- as.integer(regmatches(text, gregexpr("[0-9]+", text))[[1]])
table <- matrix(readBin(file, "double", shape[1] * shape[2]), shape[1], shape[2], byrow = TRUE)
close(file)
begin <- proc.time()[["elapsed"]]
model <- switch(arguments[1],
    dbscan = dbscan(table, eps = 0.15, minPts = 10),
    optics = extractDBSCAN(optics(table, eps = 2, minPts = 10), eps_cl = 0.4),
    hdbscan = hdbscan(table, minPts = 10))
seconds <- proc.time()[["elapsed"]] - begin
cat(sprintf('{"seconds": %.6f, "quality": "%d clusters, %d rows of noise"}\n', seconds, max(model$cluster),
    sum(model$cluster == 0)))
