/* SPDX-License-Identifier: MIT */
/* Files that options name: splits, journals, words, lemmas, vocabularies, dissimilarities, other
 * tables, baskets, distances, counts, models to go on from, chunks. The first byte chooses, the
 * rest is the file, which is given to what reads it and not to a command. */
#include "fuzz/fuzz_table.h"
#include "command/describe.h"
#include "data/chunks.h"
#include "data/shape.h"
#include "evaluate/journal.h"
#include "items/items.h"
#include "model/chain.h"
#include "resample/resample.h"
#include <math.h>

enum { N_ROWS = 6, MOST_SPLITS = 3, CHUNK = 2, MOST_ITEMS = 2 };

typedef struct file {
    const uint8_t *data;
    size_t size;
} file;

static const cairn_table *levels_table(void)
{
    static cairn_table *table;
    if (!table)
        table = fuzz_table("a,b,class\nu,1,x\nv,2,y\nu,3,x\nv,?,y\n?,5,x\nu,6,y\n", NULL, "class");
    return table;
}

/* Settings from a spec that ends with the name of the file, made once: it has the same name for all
 * inputs. */
static const cairn_params *settings_of(cairn_params **made, cairn_entry_kind kind, const char *spec,
                                       const char *path)
{
    char text[128];
    if (*made) return *made;
    cairn_context *ctx = fuzz_new_context(); /* none of an input's memory */
    snprintf(text, sizeof text, "%s%s", spec, path);
    if (cairn_params_from_spec(ctx, made, kind, text)) abort();
    cairn_context_free(ctx);
    return *made;
}

static void fit(cairn_context *ctx, const cairn_params *params, const cairn_table *table)
{
    cairn_model *model = NULL;
    fuzz_check(ctx, cairn_model_fit(ctx, &model, params, table, NULL));
    cairn_model_free(model);
}

static cairn_table *read_file(cairn_context *ctx, const file *f, const char *format)
{
    cairn_table *table = NULL;
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    options.format = format;
    fuzz_check(ctx, cairn_table_read_memory(ctx, &table, "fuzz", f->data, f->size, &options));
    return table;
}

/* -- the kinds of files -- */

static void try_splits(cairn_context *ctx, const file *f)
{
    static const uint32_t rows[N_ROWS] = {0, 1, 2, 3, 4, 5};
    char spec[128];
    cairn_plan plan = {0};
    snprintf(spec, sizeof spec, "file:%s", fuzz_file(f->data, f->size));
    cairn_status status =
        cairn_plan_make(ctx, &plan, spec, (cairn_plan_job){.n = N_ROWS, .rows = rows});
    fuzz_check(ctx, status);
    size_t n = status ? 0 : cairn_plan_splits(&plan);
    for (size_t i = 0; i < n && i < MOST_SPLITS; i++) {
        cairn_rows train, test;
        fuzz_check(ctx, cairn_plan_split(ctx, &plan, i, &train, &test));
    }
}

/* A journal that is read takes more, and has all of it when it is read again, perhaps with a last
 * line that only lacked its end. */
static void try_journal(cairn_context *ctx, const file *f)
{
    static const char identity[] =
        "f93e251f8069d865 1 cairn tune tree @weather --over max-depth=1,2";
    static const double numbers[CAIRN_JOURNAL_NUMBERS] = {0.5, 0.25, 1, 7, 0};
    const char *path = fuzz_file(f->data, f->size);
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
}

/* A bag of words with the file in one of its parameters. */
static void try_words(cairn_context *ctx, const file *f, cairn_params **settings, const char *spec)
{
    static cairn_table *texts;
    cairn_table *made = NULL;
    if (!texts)
        texts = fuzz_table("text,class\nwin money now,spam\nfree prizes,spam\nthe mice met,ham\n",
                           "text=text", "class");
    const char *path = fuzz_file(f->data, f->size);
    const cairn_params *params = settings_of(settings, CAIRN_ENTRY_TRANSFORM, spec, path);
    fuzz_check(ctx, cairn_transforms_run(ctx, &made, texts, params, NULL));
    cairn_table_free(made);
}

static void try_stop_words(cairn_context *ctx, const file *f)
{
    static cairn_params *settings;
    try_words(ctx, f, &settings, "bag:stop-file=");
}

static void try_lemmas(cairn_context *ctx, const file *f)
{
    static cairn_params *settings;
    try_words(ctx, f, &settings, "bag:lemmas=");
}

static void try_keywords(cairn_context *ctx, const file *f)
{
    static cairn_params *settings;
    try_words(ctx, f, &settings, "bag:keyword-file=");
}

static void try_vocabulary(cairn_context *ctx, const file *f)
{
    static cairn_params *settings;
    try_words(ctx, f, &settings, "bag:vocabulary=");
}

static void try_dissimilarities(cairn_context *ctx, const file *f)
{
    static cairn_params *settings;
    const char *path = fuzz_file(f->data, f->size);
    fit(ctx, settings_of(&settings, CAIRN_ENTRY_LEARNER, "clustering-tree:matrix=", path),
        levels_table());
}

static void try_other_table(cairn_context *ctx, const file *f)
{
    cairn_describing d = {.ctx = ctx, .table = levels_table(), .target = -1, .limit = 5};
    cairn_table *other = read_file(ctx, f, "csv");
    if (!other) return;
    if (cairn_report_new(ctx, &d.report)) abort();
    fuzz_check(ctx, cairn_describe_against(&d, other, "fuzz"));
    cairn_report_free(d.report);
    cairn_table_free(other);
}

/* Frequent sets of the baskets, and perhaps the rules between them. */
static void try_baskets(cairn_context *ctx, const file *f, bool rules)
{
    const cairn_mine_options mining = {.support = 1, .most = MOST_ITEMS, .marks = !rules};
    const cairn_rule_options wanted = {.confidence = 0.5, .lift = NAN, .level = NAN};
    cairn_transactions baskets = {0};
    cairn_itemsets sets = {0};
    cairn_association *found;
    cairn_view view;
    size_t n;
    cairn_table *table = read_file(ctx, f, "basket");
    if (!table) return;
    cairn_status status = cairn_view_make(ctx, &view, table, cairn_all_rows(table));
    if (!status) status = cairn_transactions_make(ctx, &baskets, &view);
    if (!status) status = cairn_mine(ctx, &sets, &baskets, &mining);
    if (!status && rules) status = cairn_associations(ctx, &found, &n, &baskets, &sets, &wanted);
    fuzz_check(ctx, status);
    cairn_itemsets_clear(&sets);
    cairn_transactions_clear(&baskets);
    cairn_table_free(table);
}

static void try_itemsets(cairn_context *ctx, const file *f)
{
    try_baskets(ctx, f, false);
}

static void try_associations(cairn_context *ctx, const file *f)
{
    try_baskets(ctx, f, true);
}

/* A table that stands for something else, and what is learned from that. */
static void try_shape(cairn_context *ctx, const file *f, cairn_shape shape,
                      const cairn_params *params)
{
    cairn_table *table = read_file(ctx, f, "csv");
    if (!table) return;
    cairn_status status = CAIRN_OK;
    if (shape == CAIRN_SHAPE_COUNTS) status = cairn_table_reshape(ctx, &table, shape);
    if (!status) status = cairn_table_set_role(ctx, table, "class", CAIRN_TARGET);
    if (!status && shape != CAIRN_SHAPE_COUNTS) status = cairn_table_reshape(ctx, &table, shape);
    fuzz_check(ctx, status);
    if (!status) fit(ctx, params, table);
    cairn_table_free(table);
}

static void try_distances(cairn_context *ctx, const file *f)
{
    static cairn_params *settings;
    try_shape(ctx, f, CAIRN_SHAPE_DISTANCES,
              settings_of(&settings, CAIRN_ENTRY_LEARNER, "knn:k=1", ""));
}

static void try_counts(cairn_context *ctx, const file *f)
{
    static cairn_params *settings;
    try_shape(ctx, f, CAIRN_SHAPE_COUNTS, settings_of(&settings, CAIRN_ENTRY_LEARNER, "bayes", ""));
}

static void try_model(cairn_context *ctx, const file *f)
{
    cairn_model *model = NULL;
    cairn_status status = cairn_model_load_memory(ctx, &model, "fuzz", f->data, f->size);
    if (!status) status = cairn_model_update(ctx, model, levels_table(), NULL);
    fuzz_check(ctx, status);
    cairn_model_free(model);
}

static void try_chunks(cairn_context *ctx, const file *f)
{
    const cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    cairn_input *input = NULL;
    cairn_chunks *chunks = NULL;
    cairn_table *table = NULL;
    size_t rows = 0;
    cairn_status status = cairn_input_memory(ctx, &input, "fuzz", f->data, f->size);
    if (!status) status = cairn_chunks_open(ctx, &chunks, input, &options);
    do {
        cairn_table_free(table);
        table = NULL;
        if (!status) status = cairn_chunks_next(ctx, chunks, CHUNK, &table);
        if (table && cairn_table_rows(table) > CHUNK) abort();
        rows += table ? cairn_table_rows(table) : 0;
    } while (!status && table);
    fuzz_check(ctx, status);
    if (!status && cairn_chunks_rows(chunks) != rows) abort();
    cairn_table_free(table);
    cairn_chunks_close(chunks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const kinds[])(cairn_context *, const file *) = {
        try_splits,     try_journal,         try_stop_words,  try_lemmas,   try_keywords,
        try_vocabulary, try_dissimilarities, try_other_table, try_itemsets, try_associations,
        try_distances,  try_counts,          try_model,       try_chunks,
    };
    if (size == 0) return 0;
    size_t at = (size_t)(data[0] - (data[0] >= 'a' ? 'a' : 0));
    const file f = {data + 1, size - 1};
    kinds[at % (sizeof kinds / sizeof *kinds)](fuzz_begin(), &f);
    fuzz_end();
    return 0;
}
