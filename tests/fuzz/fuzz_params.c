/* SPDX-License-Identifier: MIT */
/* The parser of parameters. The input is lines "name=value" that are set on an entry with a row of
 * every type, the first of them also as a spec that names a learner, and the same text as a list. A
 * canonical spec that is printed reads back as itself. */
#include "fuzz/fuzz.h"
#include "entry/entry.h"
#include "base/memory.h"

enum { MOST_SPECS = 1 };

typedef struct every_type {
    bool flag;
    int count;
    int64_t large;
    double share;
    const char *word;
    int mode;
    const char *numbers, *columns, *file, *base;
} every_type;

static const cairn_choice modes[] = {{"first", 1, "the first"}, {"second", 2, "the second"}, {0}};

static const cairn_param every_table[] = {
    CAIRN_PARAM(every_type, flag, "no", NULL, "a flag"),
    CAIRN_PARAM(every_type, count, "3", "[1,100]", "a count"),
    CAIRN_PARAM(every_type, large, "0", NULL, "a large number"),
    CAIRN_PARAM(every_type, share, "0.5", "(0,1]", "a share"),
    CAIRN_PARAM(every_type, word, NULL, NULL, "a word"),
    CAIRN_PARAM_CHOICE(every_type, mode, "first", modes, "a mode"),
    CAIRN_PARAM_AS(every_type, numbers, CAIRN_TYPE_LIST, NULL, "numbers"),
    CAIRN_PARAM_AS(every_type, columns, CAIRN_TYPE_COLUMNS, NULL, "columns"),
    CAIRN_PARAM_AS(every_type, file, CAIRN_TYPE_FILE, NULL, "a file"),
    CAIRN_PARAM_AS(every_type, base, CAIRN_TYPE_SPEC, NULL, "a learner"),
    CAIRN_PARAM_END,
};

static const cairn_entry every_entry = {
    .kind = CAIRN_ENTRY_LEARNER,
    .name = "every",
    .title = "Every type",
    .params = every_table,
    .params_size = sizeof(every_type),
};

/* What is in force must be inside the declared ranges, whatever was typed. */
static void check_values(cairn_context *ctx, const cairn_params *params)
{
    const every_type *p = params->values;
    char *spec = NULL;
    if (p->count < 1 || p->count > 100 || !(p->share > 0 && p->share <= 1)) abort();
    if (p->mode != 1 && p->mode != 2) abort();
    cairn_status status = cairn_params_spec(ctx, params, &spec);
    fuzz_check(ctx, status);
    cairn_free(spec);
}

/* A name that no learner has is held against all that are known, so the first lines only are taken
 * for one. */
static void set_lines(cairn_context *ctx, cairn_params *params, char *text)
{
    size_t n = 0;
    for (char *line = text; line; n++) {
        char *next = strchr(line, '\n'), *equals;
        if (next) *next++ = 0;
        equals = strchr(line, '=');
        if (equals) {
            *equals = 0;
            fuzz_check(ctx, cairn_params_set(ctx, params, line, equals + 1));
            *equals = '=';
        }
        cairn_params *other = NULL;
        if (n < MOST_SPECS) fuzz_check(ctx, cairn_params_new(ctx, &other, line));
        if (other) fuzz_check(ctx, cairn_params_check(ctx, other));
        cairn_params_free(other);
        line = next;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cairn_context *ctx = fuzz_begin();
    cairn_params *params = NULL, *copy = NULL;
    char *text = fuzz_text(data, size), **items;
    double *numbers;
    size_t n;
    fuzz_check(ctx, cairn_list_split(ctx, text, &items, &n));
    fuzz_check(ctx, cairn_list_numbers(ctx, "fuzz", text, &numbers, &n));
    if (cairn_params_for(ctx, &params, &every_entry)) abort();
    set_lines(ctx, params, text);
    check_values(ctx, params);
    fuzz_check(ctx, cairn_params_copy(ctx, &copy, params));
    if (copy) check_values(ctx, copy);
    cairn_params_free(copy);
    cairn_params_free(params);
    free(text);
    fuzz_end();
    return 0;
}
