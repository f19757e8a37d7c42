# SPDX-License-Identifier: MIT
suppressMessages(library(ranger))
suppressMessages(library(data.table))
paths <- commandArgs(trailingOnly = TRUE)
train <- fread(paths[1], showProgress = FALSE)
train$class <- factor(train$class)
begin <- Sys.time()
model <- ranger(class ~ ., data = train, num.trees = 100, mtry = 7, num.threads = 2, seed = 1,
                verbose = FALSE)
seconds <- as.numeric(Sys.time() - begin, units = "secs")
test <- fread(paths[2], showProgress = FALSE)
said <- predict(model, test, num.threads = 2, verbose = FALSE)$predictions
cat(sprintf('{"seconds": %.6f, "quality": "accuracy %.4f, model %.0f MB"}\n', seconds,
            mean(as.character(said) == as.character(test$class)),
            as.numeric(object.size(model$forest)) / 1e6))
