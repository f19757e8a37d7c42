# SPDX-License-Identifier: MIT
# adist of R: edit distances of all pairs of the words of a file. Prints the mean.
words <- read.csv(commandArgs(TRUE)[1], colClasses = "character")$word
seconds <- system.time(d <- adist(words))[["elapsed"]]
n <- length(words)
cat(sprintf('{"seconds": %.9f, "quality": "mean %.9f"}\n', seconds, sum(d) / (n * (n - 1))))
