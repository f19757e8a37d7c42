/* SPDX-License-Identifier: MIT */
/* Files that options name: splits, journals, words, lemmas, vocabularies, dissimilarities, other
 * tables, baskets, counts, models to go on from. */
#include "fuzz/fuzz_run.h"
#include "evaluate/journal.h"

static const shape shapes[] = {
    {{"evaluate", "majority", "@weather", "--by", "file:FILE", ""}, SIZE_MAX},
    {{""}, SIZE_MAX}, /* the journal of a search, which is read without one */
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

/* A journal that is read takes more, and has all of it when it is read again, perhaps with a last
 * line that only lacked its end. */
static void try_journal(const uint8_t *data, size_t size)
{
    static const char identity[] =
        "f93e251f8069d865 1 cairn tune tree @weather --over max-depth=1,2";
    static const double numbers[CAIRN_JOURNAL_NUMBERS] = {0.5, 0.25, 1, 7, 0};
    cairn_context *ctx = fuzz_begin();
    const char *path = fuzz_file(data, size);
    cairn_journal journal = {0}, again = {0};
    cairn_status status = cairn_journal_open(ctx, &journal, path, identity);
    fuzz_check(ctx, status);
    if (status == CAIRN_OK) {
        if (cairn_journal_add(ctx, &journal, "all 14 fuzz", numbers)) abort();
        if (cairn_journal_open(ctx, &again, path, identity)) abort();
        if (again.keys.n < journal.keys.n || !cairn_journal_find(&again, "all 14 fuzz")) abort();
    }
    cairn_journal_clear(&again);
    cairn_journal_clear(&journal);
    fuzz_end();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t n = sizeof shapes / sizeof *shapes;
    if (size && !*shape_of(shapes, n, data[0])->words[0])
        try_journal(data + 1, size - 1);
    else
        fuzz_file_of(shapes, n, data, size);
    return 0;
}
