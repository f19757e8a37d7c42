# SPDX-License-Identifier: MIT
# forest_levels.R DATA.csv ignore|order: what ranger makes of columns of levels
suppressMessages(library(ranger))
given <- commandArgs(trailingOnly = TRUE)
data <- read.csv(given[1], stringsAsFactors = TRUE)
begin <- Sys.time()
model <- ranger(class ~ ., data = data, num.trees = 100, num.threads = 2, seed = 1,
                respect.unordered.factors = given[2])
cat(sprintf('{"seconds": %.6f, "quality": "out-of-bag error %.4f"}\n',
            as.numeric(Sys.time() - begin, units = "secs"), model$prediction.error))
