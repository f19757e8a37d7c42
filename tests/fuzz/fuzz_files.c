/* SPDX-License-Identifier: MIT */
/* Files that options name: splits, journals, words, lemmas, vocabularies, dissimilarities, other
 * tables, baskets, counts, models to go on from. */
#include "fuzz/fuzz_run.h"

static const shape shapes[] = {
    {{"evaluate", "majority", "@weather", "--by", "file:FILE", ""}, SIZE_MAX},
    {{"tune", "tree", "@weather", "--over", "max-depth=1,2", "--journal", "FILE", ""}, SIZE_MAX},
    {{"fit", "bayes", "@texts", "--with", "bag:stop-file=FILE", ""}, SIZE_MAX},
    {{"fit", "bayes", "@texts", "--with", "bag:lemmas=FILE", ""}, SIZE_MAX},
    {{"fit", "bayes", "@texts", "--with", "bag:keyword-file=FILE", ""}, SIZE_MAX},
    {{"fit", "bayes", "@texts", "--with", "bag:vocabulary=FILE", ""}, SIZE_MAX},
    {{"fit", "clustering-tree", "@weather", "--matrix", "FILE", ""}, SIZE_MAX},
    {{"describe", "@weather", "--against", "FILE", ""}, SIZE_MAX},
    {{"compute", "itemsets", "FILE", "--input-format", "basket", "--max-size", "3", ""}, 400},
    {{"compute", "associations", "FILE", "--input-format", "basket", "--max-size", "3", ""}, 400},
    {{"fit", "knn", "FILE", "--as", "distances", "--k", "1", "--target", "class", ""}, SIZE_MAX},
    {{"fit", "bayes", "FILE", "--as", "counts", "--target", "class", ""}, 400},
    {{"fit", "bayes", "@weather", "--from", "FILE", ""}, SIZE_MAX},
    {{"fit", "bayes", "FILE", "--chunk", "2", "--target", "class", ""}, SIZE_MAX},
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_file_of(shapes, sizeof shapes / sizeof *shapes, data, size);
    return 0;
}
