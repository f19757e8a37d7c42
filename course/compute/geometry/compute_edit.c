/* SPDX-License-Identifier: MIT */
/* cairn compute edit: the table of the dynamic program of two texts, and what it tells: the edit
 * distance, a shortest script, the alignment, and how many shortest scripts there are.
 *
 * D(i, j) is the distance of the first i letters of one text from the first j of the other. The
 * script is read off from the end; of equally short ways it keeps or exchanges a letter before it
 * takes one out, and takes one out before it puts one in. */
#include "data/table.h"
#include "model/calculator.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { MOST_LETTERS = 2000, MOST_TABLE = 20 };

typedef struct edit_params {
    const char *from, *to;
    bool items;
} edit_params;

static const cairn_param edit_table[] = {
    CAIRN_PARAM(edit_params, from, NULL, NULL, "the text that is changed", .often = true),
    CAIRN_PARAM(edit_params, to, NULL, NULL, "the text that is made of it", .often = true),
    CAIRN_PARAM(edit_params, items, "no", NULL,
                "compare words, separated by blanks, in place of letters"),
    CAIRN_PARAM_END,
};

/* A text as letters or words: where each begins and how long it is. */
typedef struct units {
    size_t n;
    const char **starts;
    size_t *lengths;
} units;

typedef struct editing {
    units a, b;
    int32_t *table; /* (a.n + 1) x (b.n + 1) */
    double *ways;   /* the same: shortest scripts */
} editing;

static size_t letter_bytes(const char *at)
{
    size_t n = 1;
    while (at[0] && ((unsigned char)at[n] & 0xc0) == 0x80) n++;
    return n;
}

/* Letters are those of UTF-8; words are what stands between blanks. */
static cairn_status split(cairn_context *ctx, units *out, const char *text, bool items,
                          const char *option)
{
    size_t buffer = strlen(text) + 1;
    CHECK(SCRATCH_EACH(ctx, buffer, &out->starts, &out->lengths));
    for (const char *at = text; *at;) {
        size_t length = items ? strcspn(at, " ") : letter_bytes(at);
        if (length) {
            out->starts[out->n] = at;
            out->lengths[out->n++] = length;
        }
        at += length + (items && at[length] == ' ');
    }
    if (out->n > MOST_LETTERS)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{%s}: %zu letters are more than the %d of which the table is shown; "
                          "'compute distances' with {distance edit} compares longer texts",
                          option, out->n, MOST_LETTERS);
    return CAIRN_OK;
}

static bool same(const editing *e, size_t i, size_t j)
{
    return e->a.lengths[i] == e->b.lengths[j] &&
           memcmp(e->a.starts[i], e->b.starts[j], e->a.lengths[i]) == 0;
}

static int32_t *entry(const editing *e, size_t i, size_t j)
{
    return e->table + i * (e->b.n + 1) + j;
}

/* Row by row; `ways` counts the scripts that are as short as can be. */
static void fill(editing *e)
{
    size_t width = e->b.n + 1;
    for (size_t i = 0; i <= e->a.n; i++)
        for (size_t j = 0; j <= e->b.n; j++) {
            double *ways = e->ways + i * width + j;
            int32_t best = i || j ? INT32_MAX : 0;
            if (i && *entry(e, i - 1, j) + 1 < best) best = *entry(e, i - 1, j) + 1;
            if (j && *entry(e, i, j - 1) + 1 < best) best = *entry(e, i, j - 1) + 1;
            int32_t exchanged =
                i && j ? *entry(e, i - 1, j - 1) + !same(e, i - 1, j - 1) : INT32_MAX;
            if (exchanged < best) best = exchanged;
            *entry(e, i, j) = best;
            *ways = !i && !j;
            if (i && *entry(e, i - 1, j) + 1 == best) *ways += ways[-(ptrdiff_t)width];
            if (j && *entry(e, i, j - 1) + 1 == best) *ways += ways[-1];
            if (exchanged == best) *ways += ways[-(ptrdiff_t)width - 1];
        }
}

/* -- showing -- */

static void add_unit(cairn_text *text, const units *u, size_t i)
{
    cairn_text_add_bytes(text, u->starts[i], u->lengths[i]);
}

/* Beginnings of the first text down, of the second across; ε is the empty one. */
static void show_table(cairn_report *out, const editing *e)
{
    cairn_report_table_of(out, "D(i, j)", 0, "lr", "", "ε");
    for (size_t j = 0; j < e->b.n; j++) {
        SCOPED(cairn_text_clear) cairn_text head = cairn_text_start(cairn_report_context(out));
        add_unit(&head, &e->b, j);
        cairn_report_column(out, cairn_text_string(&head), 'r');
    }
    for (size_t i = 0; i <= e->a.n; i++) {
        SCOPED(cairn_text_clear) cairn_text head = cairn_text_start(cairn_report_context(out));
        if (i) add_unit(&head, &e->a, i - 1);
        cairn_report_cell(out, i ? cairn_text_string(&head) : "ε");
        for (size_t j = 0; j <= e->b.n; j++)
            cairn_report_cell_number(out, *entry(e, i, j), 0, "table.%zu.%zu", i, j);
    }
}

typedef enum move { KEEP, EXCHANGE, TAKE_OUT, PUT_IN } move;

/* The moves of a shortest script from the beginning; returns how many. */
static size_t read_script(const editing *e, move *moves)
{
    size_t i = e->a.n, j = e->b.n, n = 0;
    while (i || j) {
        int32_t here = *entry(e, i, j);
        bool equal = i && j && same(e, i - 1, j - 1);
        if (i && j && *entry(e, i - 1, j - 1) + !equal == here)
            moves[n++] = equal ? KEEP : EXCHANGE, i--, j--;
        else if (i && *entry(e, i - 1, j) + 1 == here)
            moves[n++] = TAKE_OUT, i--;
        else
            moves[n++] = PUT_IN, j--;
    }
    for (size_t k = 0; k < n / 2; k++) {
        move other = moves[k];
        moves[k] = moves[n - 1 - k], moves[n - 1 - k] = other;
    }
    return n;
}

/* Places are those of the first text, which the script walks along. */
static void show_script(cairn_report *out, const editing *e, const move *moves, size_t n)
{
    size_t i = 0, j = 0, edits = 0;
    cairn_report_table_of(out, "Script", 200, "rll", "edit", "what", "place");
    for (size_t k = 0; k < n; k++) {
        SCOPED(cairn_text_clear) cairn_text what = cairn_text_start(cairn_report_context(out));
        if (moves[k] == EXCHANGE) {
            cairn_text_add(&what, "substitute ");
            add_unit(&what, &e->a, i);
            cairn_text_add(&what, "->");
            add_unit(&what, &e->b, j);
        } else if (moves[k] != KEEP) {
            cairn_text_add(&what, moves[k] == TAKE_OUT ? "delete " : "insert ");
            if (moves[k] == TAKE_OUT)
                add_unit(&what, &e->a, i);
            else
                add_unit(&what, &e->b, j);
        }
        i += moves[k] != PUT_IN, j += moves[k] != TAKE_OUT;
        if (moves[k] == KEEP) continue;
        cairn_report_cellf(out, "%zu", ++edits);
        cairn_report_cell_word(out, cairn_text_string(&what), "edit%zu", edits);
        cairn_report_cellf(out, moves[k] == PUT_IN ? "after %zu" : "at %zu", i);
        cairn_report_failed(out, cairn_text_status(&what));
    }
}

/* Both texts below each other with a bar where they agree. */
static void show_alignment(cairn_report *out, const editing *e, const move *moves, size_t n)
{
    cairn_context *ctx = cairn_report_context(out);
    SCOPED(cairn_text_clear) cairn_text top = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text bars = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text low = cairn_text_start(ctx);
    size_t i = 0, j = 0;
    for (size_t k = 0; k < n; k++) {
        if (moves[k] == PUT_IN)
            cairn_text_add_char(&top, '-');
        else
            add_unit(&top, &e->a, i++);
        if (moves[k] == TAKE_OUT)
            cairn_text_add_char(&low, '-');
        else
            add_unit(&low, &e->b, j++);
        cairn_text_add_char(&bars, moves[k] == KEEP ? '|' : ' ');
    }
    cairn_report_hidden_word(out, cairn_text_string(&top), "alignment.from");
    cairn_report_hidden_word(out, cairn_text_string(&low), "alignment.to");
    cairn_text_addf(&top, "\n%s\n%s\n", cairn_text_string(&bars), cairn_text_string(&low));
    cairn_report_paragraph(out, "Alignment:");
    cairn_report_verbatim(out, cairn_text_string(&top));
    cairn_report_failed(out, cairn_text_status(&top));
}

/* The texts of a table of one row: of its columns 'from' and 'to', else of the first two. */
static cairn_status read_table(cairn_context *ctx, edit_params *p, const cairn_table *table)
{
    static const char *const names[] = {"from", "to"};
    const char **out[] = {&p->from, &p->to};
    if (table->n_rows != 1 || table->n_columns < 2)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s has %zu rows and %zu columns; two texts are compared, in the columns "
                          "'from' and 'to' of one row; 'compute distances' with {distance edit} "
                          "compares many",
                          table->source ? table->source : "the table", table->n_rows,
                          table->n_columns);
    for (size_t k = 0; k < 2; k++) {
        ptrdiff_t at = cairn_table_find(table, names[k]);
        size_t column = at < 0 ? k : (size_t)at,
               length = cairn_table_cell(table, column, 0, NULL, 0);
        char *text;
        CHECK(SCRATCH(ctx, &text, length + 1));
        cairn_table_cell(table, column, 0, text, length + 1);
        *out[k] = text;
    }
    return CAIRN_OK;
}

/* The table is always filled, and printed only where it fits. */
static cairn_status edit_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    edit_params typed = *(const edit_params *)job->params, *p = &typed;
    editing e = {0};
    move *moves;
    if (job->table && (p->from || p->to))
        return cairn_fail(ctx, CAIRN_USAGE, "'%s' takes either {from} and {to}, or DATA",
                          job->what);
    if (job->table) CHECK(read_table(ctx, p, job->table));
    if (!p->from || !p->to)
        return cairn_fail(ctx, CAIRN_USAGE, "'%s' needs {from TEXT} and {to TEXT}", job->what);
    CHECK(split(ctx, &e.a, p->from, p->items, "from"));
    CHECK(split(ctx, &e.b, p->to, p->items, "to"));
    CHECK(SCRATCH_RAW_EACH(ctx, cairn_product(e.a.n + 1, e.b.n + 1), &e.table, &e.ways));
    CHECK(SCRATCH(ctx, &moves, e.a.n + e.b.n + 1));
    fill(&e);
    size_t n = read_script(&e, moves), longest = e.a.n > e.b.n ? e.a.n : e.b.n;
    double distance = *entry(&e, e.a.n, e.b.n);
    cairn_report_heading(out, 1, "From '%s' to '%s'", p->from, p->to);
    if (job->steps) {
        cairn_report_step_begin(out, "The table");
        cairn_report_formula(out, "D(i, j) = min(D(i−1, j) + 1, D(i, j−1) + 1, D(i−1, j−1) + [aᵢ ≠ "
                                  "bⱼ]),   D(i, 0) = i,   D(0, j) = j");
        /* The corner of the table with its numbers put in. */
        enum { MOST = 3 };
        for (size_t i = 1; i <= e.a.n && i <= MOST; i++) {
            char label[48];
            snprintf(label, sizeof label, "D(%zu, %zu)", i, i);
            if (i > e.b.n) break;
            cairn_report_worked(out, label, "min(# + 1, # + 1, # + #) = #", *entry(&e, i - 1, i),
                                *entry(&e, i, i - 1), *entry(&e, i - 1, i - 1),
                                !same(&e, i - 1, i - 1), *entry(&e, i, i));
        }
        if (longest <= MOST_TABLE)
            show_table(out, &e);
        else
            cairn_report_paragraph(out, "The table of %zu x %zu entries is not printed.", e.a.n + 1,
                                   e.b.n + 1);
        cairn_report_step_end(out);
    }
    cairn_report_value(out, "edit distance", distance, "distance");
    cairn_report_value(out, "as a share of the longer text",
                       longest ? distance / (double)longest : 0, "share");
    if (e.a.n == e.b.n) {
        double differ = 0;
        for (size_t i = 0; i < e.a.n; i++) differ += !same(&e, i, i);
        cairn_report_value(out, "places that differ (Hamming)", differ, "hamming");
    }
    cairn_report_value(out, "shortest scripts", e.ways[(e.a.n + 1) * (e.b.n + 1) - 1], "scripts");
    show_script(out, &e, moves, n);
    if (!p->items && n <= 200) show_alignment(out, &e, moves, n);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_edit = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "edit",
         .also =
             "Levenshtein, Hamming distance of strings, edit script, alignment, string distance",
         .title = "Edit distance of two texts, with its script",
         .summary =
             "The smallest number of letters to put in, take out or exchange to make one text "
             "of the other, a shortest script with the places, the alignment, and how many "
             "scripts are as short; of texts of the same length also the places that differ "
             "(Hamming's distance of bits and symbols). --steps shows the table of the dynamic "
             "program. Lists of "
             "words are compared by 'compute distances --distance edit'.",
         .references =
             "Levenshtein, Binary codes capable of correcting deletions, insertions, and "
             "reversals, 1966; Wagner and Fischer, The string-to-string correction problem, "
             "1974",
         .example = "cairn compute edit --from kitten --to sitting --steps",
         .params = edit_table,
         .params_size = sizeof(edit_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .run = edit_run,
};
