/* SPDX-License-Identifier: MIT */
/* Texts of options that have a language of their own: columns, kinds, costs, transforms, learners
 * in learners, ways of splitting, grids of a search, counts and lists of numbers. */
#include "fuzz/fuzz_run.h"

static const shape shapes[] = {
    {{"describe", "@weather", "--kinds", TEXT, ""}, SIZE_MAX},
    {{"fit", "majority", "@iris", "--features", TEXT, ""}, SIZE_MAX},
    {{"fit", "majority", "@weather", "--target", TEXT, ""}, SIZE_MAX},
    {{"fit", "majority", "@iris", "--with", TEXT, ""}, 40},
    {{"fit", "cost-sensitive", "@weather", "--learner", "majority", "--costs", TEXT, ""}, SIZE_MAX},
    {{"fit", "majority", "@weather", "--decide", TEXT, ""}, SIZE_MAX},
    {{"fit", "majority", "@weather", "--with-calibration", TEXT, ""}, 24},
    {{"fit", "calibrated", "@weather", "--learner", TEXT, ""}, 40},
    {{"evaluate", "majority", "@weather", "--by", TEXT, ""}, 12},
    {{"compute", "confusion", "--table", TEXT, ""}, SIZE_MAX},
    {{"compute", "split", "--table", TEXT, ""}, SIZE_MAX},
    {{"compute", "naive-bayes", "--x", "1", "--theta", TEXT, ""}, SIZE_MAX},
    {{"compute", "statistics", "--values", TEXT, ""}, SIZE_MAX},
    {{"compute", "itemsets", "@weather", "--covers", TEXT, ""}, SIZE_MAX},
    {{"fit", "bayes", "@weather", "--smooth", TEXT, ""}, SIZE_MAX},
    {{"fit", "majority", "@weather", "--label-mark", TEXT, ""}, SIZE_MAX},
    {{"fit", TEXT, "@weather", ""}, 40},
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_text_of(shapes, sizeof shapes / sizeof *shapes, data, size);
    return 0;
}
