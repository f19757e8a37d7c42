/* SPDX-License-Identifier: MIT */
/* Pairs of rows that must be in one cluster, or must not: see links.h. */
#include "compute/clusters/links.h"

#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

const cairn_param cairn_links_group[] = {
    CAIRN_PARAM(cairn_links_options, must_link, NULL, NULL,
                "pairs of row numbers that must be in one cluster: 1,2;4,5"),
    CAIRN_PARAM(cairn_links_options, cannot_link, NULL, NULL,
                "pairs of row numbers that must not be in one cluster: 1,3;2,5"),
    CAIRN_PARAM_AS(cairn_links_options, links, CAIRN_TYPE_FILE, NULL,
                   "a file of such pairs: two columns of row numbers and one of the words must and "
                   "cannot"),
    CAIRN_PARAM_END,
};

typedef struct link_list {
    cairn_row_links *out;
    size_t capacity, n_rows;
} link_list;

static cairn_status add_link(cairn_context *ctx, link_list *list, const char *where, double first,
                             double second, bool must)
{
    double most = (double)list->n_rows;
    bool fits = first >= 1 && second >= 1 && first <= most && second <= most &&
                first == floor(first) && second == floor(second);
    if (!fits || first == second)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s: a pair is two different row numbers from 1 to %zu, separated by a "
                          "comma",
                          where, list->n_rows);
    if (list->out->n == list->capacity) {
        size_t capacity = 2 * list->capacity + 16;
        cairn_row_link *links;
        CHECK(SCRATCH_RAW(ctx, &links, capacity));
        if (list->out->n) memcpy(links, list->out->links, list->out->n * sizeof *links);
        list->out->links = links;
        list->capacity = capacity;
    }
    list->out->links[list->out->n++] =
        (cairn_row_link){(size_t)first - 1, (size_t)second - 1, must};
    return CAIRN_OK;
}

/* "1,2;4,5" */
static cairn_status read_typed(cairn_context *ctx, link_list *list, const char *text, bool must)
{
    const char *option = cairn_say(ctx, must ? "{must-link}" : "{cannot-link}");
    while (text && *text) {
        size_t length = strcspn(text, ";"), comma = strcspn(text, ",");
        double first = NAN, second = NAN;
        if (comma < length && cairn_number_parse(text, comma, &first))
            cairn_number_parse(text + comma + 1, length - comma - 1, &second);
        CHECK(add_link(ctx, list, option, first, second, must));
        text += length + (text[length] == ';');
    }
    return CAIRN_OK;
}

/* Two number columns and one of levels, in any order. */
static cairn_status read_file(cairn_context *ctx, link_list *list, const char *path)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    const cairn_column *numbers[2] = {NULL, NULL}, *words = NULL;
    CHECK(cairn_table_read(ctx, &table, path, NULL));
    for (size_t c = 0; c < table->n_columns; c++) {
        const cairn_column *column = table->slots[c].column;
        if (column->kind == CAIRN_LEVEL)
            words = column;
        else if (column->kind == CAIRN_NUMBER)
            numbers[numbers[0] != NULL] = column;
    }
    if (!numbers[1] || !words || table->n_columns != 3)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "{links}: %s needs two columns of row numbers and one of the words must "
                          "and cannot",
                          path);
    for (size_t i = 0; i < table->n_rows; i++) {
        const char *word = cairn_level_name(words, words->codes[i]);
        bool must = cairn_same(word, "must");
        if (!must && !cairn_same(word, "cannot"))
            return cairn_fail(ctx, CAIRN_BAD_DATA, "%s, row %zu: '%s' is neither must nor cannot",
                              path, i + 1, word);
        CHECK(add_link(ctx, list, path, numbers[0]->numbers[i], numbers[1]->numbers[i], must));
    }
    return CAIRN_OK;
}

cairn_status cairn_links_read(cairn_context *ctx, cairn_row_links *out,
                              const cairn_links_options *options, size_t n_rows)
{
    link_list list = {.out = out, .n_rows = n_rows};
    *out = (cairn_row_links){0};
    CHECK(read_typed(ctx, &list, options->must_link, true));
    CHECK(read_typed(ctx, &list, options->cannot_link, false));
    return options->links ? read_file(ctx, &list, options->links) : CAIRN_OK;
}

static bool holds(const cairn_row_link *link, const int32_t *clusters)
{
    bool together = clusters[link->first] >= 0 && clusters[link->first] == clusters[link->second];
    return together == link->must;
}

void cairn_links_show(cairn_report *out, const cairn_row_links *links, const int32_t *clusters,
                      const char *const *names)
{
    size_t count[2] = {0, 0}, violated[2] = {0, 0};
    if (!links->n) return;
    for (size_t i = 0; i < links->n; i++) {
        count[links->links[i].must]++;
        violated[links->links[i].must] += !holds(&links->links[i], clusters);
    }
    cairn_report_value(out, "pairs that must be together", (double)count[1], "must_link");
    cairn_report_value(out, "of them violated", (double)violated[1], "must_link.violated");
    cairn_report_value(out, "pairs that must not be together", (double)count[0], "cannot_link");
    cairn_report_value(out, "of them violated", (double)violated[0], "cannot_link.violated");
    if (!violated[0] && !violated[1]) return;
    cairn_report_table_of(out, "Violated", 0, "rrlll", "row", "row", "link", "cluster", "cluster");
    for (size_t i = 0; i < links->n; i++) {
        const cairn_row_link *l = &links->links[i];
        if (holds(l, clusters)) continue;
        cairn_report_cellf(out, "%zu", l->first + 1);
        cairn_report_cellf(out, "%zu", l->second + 1);
        cairn_report_cell(out, l->must ? "must" : "cannot");
        cairn_report_cell(out, clusters[l->first] < 0 ? "(none)" : names[clusters[l->first]]);
        cairn_report_cell(out, clusters[l->second] < 0 ? "(none)" : names[clusters[l->second]]);
    }
    cairn_report_table_end(out);
}
