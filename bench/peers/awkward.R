# SPDX-License-Identifier: MIT
# A path of the lasso by glmnet: awkward.R FILE.npy, whose last column is the target.
arguments <- commandArgs(TRUE)
suppressMessages(library(glmnet))
file <- file(arguments[1], "rb")
head <- readBin(file, "raw", 10)
text <- rawToChar(readBin(file, "raw", as.integer(head[9]) + 256L * as.integer(head[10])))
shape <- as.integer(regmatches(sub(".*shape", "", text), gregexpr("[0-9]+", sub(".*shape", "", text)))[[1]])
table <- matrix(readBin(file, "double", shape[1] * shape[2]), shape[1], shape[2], byrow = TRUE)
close(file)
begin <- proc.time()[["elapsed"]]
model <- glmnet(table[, -shape[2]], table[, shape[2]], nlambda = 100, standardize = FALSE)
quality <- sprintf("strength 50: %d other than 0", model$df[50])
cat(sprintf('{"seconds": %.6f, "quality": "%s"}\n', proc.time()[["elapsed"]] - begin, quality))
