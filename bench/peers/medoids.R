# SPDX-License-Identifier: MIT
# k-medoids with 20 clusters: pam of a matrix of distances, or clara of rows, both by the package cluster.
suppressMessages(library(cluster))
arguments <- commandArgs(TRUE)
file <- file(arguments[2], "rb")
head <- readBin(file, "raw", 10)
text <- rawToChar(readBin(file, "raw", as.integer(head[9]) + 256L * as.integer(head[10])))
text <- sub(".*shape", "", text)
shape <- as.integer(regmatches(text, gregexpr("[0-9]+", text))[[1]])
table <- matrix(readBin(file, "double", shape[1] * shape[2]), shape[1], shape[2], byrow = TRUE)
close(file)
if (arguments[1] == "pam") {
    table <- as.dist(table)
    invisible(gc())
}
begin <- proc.time()[["elapsed"]]
if (arguments[1] == "pam") {
    model <- pam(table, 20, diss = TRUE, pamonce = 6, keep.diss = FALSE)
    cost <- model$objective[["swap"]] * shape[1]
} else {
    model <- clara(table, 20, pamLike = TRUE, keep.data = FALSE, medoids.x = FALSE)
    cost <- model$objective * shape[1]
}
seconds <- proc.time()[["elapsed"]] - begin
cat(sprintf('{"seconds": %.6f, "quality": "cost %.6g"}\n', seconds, cost))
