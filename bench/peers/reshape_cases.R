# SPDX-License-Identifier: MIT
# The cases of bench/agree/reshape.py by data.table: every line of cases.csv is a table, a step and
# its columns; what comes out goes to theirs-N.csv.
suppressMessages(library(data.table))
setDTthreads(1)
setwd(commandArgs(trailingOnly = TRUE)[1])
cases <- fread("cases.csv", colClasses = "character")
read <- function(name)
    suppressWarnings(fread(name, na.strings = "", strip.white = FALSE,
                           colClasses = c(w = "character", v = "character", a = "numeric",
                                          b = "numeric", x = "numeric")))
part <- function(table, keys, apart) if (apart) na.omit(table, cols = keys) else table
joined <- function(l, r, keys, how, apart) {
    twice <- setdiff(intersect(names(l), names(r)), keys)
    if (length(twice)) setnames(r, twice, paste0(twice, "_2"))
    other <- part(r, keys, apart)
    switch(how,
        inner = other[l, on = keys, nomatch = NULL, allow.cartesian = TRUE],
        left = other[l, on = keys, allow.cartesian = TRUE],
        semi = l[!is.na(other[l, on = keys, which = TRUE, mult = "first"])],
        anti = l[!other, on = keys],
        right = rbind(other[l, on = keys, nomatch = NULL, allow.cartesian = TRUE],
                      r[!part(l, keys, apart), on = keys], fill = TRUE),
        full = rbind(other[l, on = keys, allow.cartesian = TRUE],
                     r[!part(l, keys, apart), on = keys], fill = TRUE))
}
# By ranks of the values: setorderv puts missing texts of a second descending column first.
sorted <- function(l, keys, signs) {
    ranks <- lapply(seq_along(keys), function(k) {
        values <- l[[keys[k]]]
        signs[k] * match(values, sort(unique(values), method = "radix"))
    })
    l[do.call(order, c(ranks, na.last = TRUE))]
}
for (i in seq_len(nrow(cases))) {
    case <- cases[i]
    keys <- strsplit(case$keys, ",")[[1]]
    l <- read(paste0("left-", case$table, ".csv"))
    made <- switch(case$step,
        sort = sorted(l, keys, as.numeric(strsplit(case$signs, ",")[[1]])),
        distinct = unique(l, by = keys),
        group = l[, .(A = sum(!is.na(x)), B = sum(is.na(x)), C = sum(x, na.rm = TRUE),
                      D = mean(x, na.rm = TRUE), E = var(x, na.rm = TRUE),
                      F = as.numeric(median(x, na.rm = TRUE)),
                      G = quantile(x, 0.3, na.rm = TRUE, names = FALSE),
                      H = uniqueN(x, na.rm = TRUE), I = .N / nrow(l)), by = keys],
        join = joined(l, read(paste0("right-", case$table, ".csv")), keys, case$how, case$apart == "1"),
        pivot = {
            wide <- dcast(l[, .(sum = sum(x, na.rm = TRUE)), by = c(keys, "v")],
                          as.formula(paste(paste(keys, collapse = "+"), "~ v")),
                          value.var = "sum", fill = NA)
            setnames(wide, "NA", "missing", skip_absent = TRUE)
            wide
        },
        unpivot = melt(l, measure.vars = c("x", "b"), variable.name = "name",
                       value.name = "value"))
    fwrite(made, paste0("theirs-", i, ".csv"), na = "", quote = FALSE)
}
