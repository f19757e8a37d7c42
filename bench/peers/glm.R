# SPDX-License-Identifier: MIT
# Poisson regression by glm.fit of a matrix whose last column is the target.
file <- file(commandArgs(TRUE)[1], "rb")
head <- readBin(file, "raw", 10)
text <- rawToChar(readBin(file, "raw", as.integer(head[9]) + 256L * as.integer(head[10])))
text <- sub(".*shape", "", text)
shape <- as.integer(regmatches(text, gregexpr("[0-9]+", text))[[1]])
table <- matrix(readBin(file, "double", shape[1] * shape[2]), shape[1], shape[2], byrow = TRUE)
close(file)
table <- as.data.frame(table)
names(table)[shape[2]] <- "y"
begin <- proc.time()[["elapsed"]]
model <- glm(y ~ ., poisson, table)
seconds <- proc.time()[["elapsed"]] - begin
cat(sprintf('{"seconds": %.6f, "quality": "deviance %.4f"}\n', seconds, deviance(model)))
