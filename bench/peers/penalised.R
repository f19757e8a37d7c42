# SPDX-License-Identifier: MIT
# lasso or net, by glmnet, of a matrix whose last column is the target.
suppressMessages(library(glmnet))
arguments <- commandArgs(TRUE)
file <- file(arguments[2], "rb")
head <- readBin(file, "raw", 10)
text <- rawToChar(readBin(file, "raw", as.integer(head[9]) + 256L * as.integer(head[10])))
text <- sub(".*shape", "", text)
shape <- as.integer(regmatches(text, gregexpr("[0-9]+", text))[[1]])
table <- matrix(readBin(file, "double", shape[1] * shape[2]), shape[1], shape[2], byrow = TRUE)
close(file)
x <- table[, -shape[2]]
y <- table[, shape[2]]
rm(table)
begin <- proc.time()[["elapsed"]]
if (arguments[1] == "lasso") {
    model <- glmnet(x, y, nlambda = 100, lambda.min.ratio = 1e-4, standardize = FALSE, thresh = 1e-12)
    seconds <- proc.time()[["elapsed"]] - begin
    at <- min(50, length(model$lambda))
    rest <- y - predict(model, x)[, at]
    quality <- sprintf("strength %d: %d other than 0, squared errors %.3f", at, model$df[at], sum(rest^2))
} else {
    model <- cv.glmnet(x, y, alpha = 0.5, nlambda = 100, lambda.min.ratio = 1e-4, standardize = FALSE,
                       nfolds = 10)
    seconds <- proc.time()[["elapsed"]] - begin
    quality <- sprintf("held-out %.6f, %d other than 0", min(model$cvm), model$nzero[which.min(model$cvm)])
}
cat(sprintf('{"seconds": %.6f, "quality": "%s"}\n', seconds, quality))
