/* SPDX-License-Identifier: MIT */
/* "w*x1 + w*x2 > 5" is a·w > b in each row, with numbers a and b of its own. It is written with the
 * parameter alone, by the sign of a: (s > 0 and w > q) or (s < 0 and w < q) or (s = 0 and 0 > q),
 * q = b / a or, where a is 0, b; s and q are columns that no rule names. */
#include "compute/concepts/free_parameters.h"
#include "base/memory.h"
#include "base/number.h"
#include "data/column.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

cairn_status cairn_rule_evaluate(cairn_context *ctx, double *out, const char *condition,
                                 const cairn_table *table, bool truth)
{
    OWNED(cairn_expression_free) cairn_expression *e = NULL;
    cairn_faults faults = {{0}, {0}};
    CHECK(cairn_expression_new(ctx, &e, condition, table));
    if (truth && cairn_expression_type(e) != CAIRN_VALUE_TRUTH)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "'%s' is no condition: nothing is compared", condition));
    if (!truth && cairn_expression_type(e) != CAIRN_VALUE_NUMBER)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "'%s' is compared with a parameter and is no number",
                         condition));
    return cairn_expression_numbers(ctx, e, out, &faults);
}

bool cairn_ends_side(const cairn_token *t)
{
    return t->kind == CAIRN_TOKEN_WORD || t->kind == CAIRN_TOKEN_RELATION;
}

/* left − right in every row, the parameter having that value. */
static cairn_status difference_at(cairn_context *ctx, double *out, const cairn_table *table,
                                  const char *name, double value, const char *difference)
{
    OWNED(cairn_table_free) cairn_table *with = NULL;
    cairn_column *column;
    CHECK(cairn_table_share(ctx, &with, table));
    CHECK(cairn_column_new(ctx, &column, CAIRN_NUMBER, table->n_rows));
    for (size_t i = 0; i < table->n_rows; i++) column->numbers[i] = value;
    CHECK(cairn_table_add_column(ctx, with, name, CAIRN_FEATURE, column));
    return cairn_rule_evaluate(ctx, out, difference, with, false);
}

static cairn_status add_hidden(cairn_context *ctx, cairn_table *table, const char *prefix,
                               size_t number, const double *values)
{
    char name[64];
    cairn_column *column;
    snprintf(name, sizeof name, "_%s_%zu", prefix, number);
    CHECK(cairn_column_new(ctx, &column, CAIRN_NUMBER, table->n_rows));
    memcpy(column->numbers, values, table->n_rows * sizeof *values);
    cairn_column_count_missing(column);
    return cairn_table_add_column(ctx, table, name, CAIRN_IGNORED, column);
}

/* The columns s and q of the comparison in the table. */
static cairn_status add_alone(cairn_context *ctx, cairn_table *table, size_t number,
                              const char *name, const char *difference)
{
    SCOPED_SCRATCH(ctx);
    size_t n = table->n_rows;
    double *at[3], *sign, *limit;
    for (size_t v = 0; v < 3; v++) {
        CHECK(SCRATCH(ctx, &at[v], n + 1));
        CHECK(difference_at(ctx, at[v], table, name, (double)v, difference));
    }
    CHECK(SCRATCH_EACH(ctx, n + 1, &sign, &limit));
    for (size_t i = 0; i < n; i++) {
        double a = at[1][i] - at[0][i], size = fabs(at[0][i]) + fabs(at[1][i]) + fabs(at[2][i]);
        if (fabs(at[2][i] - at[1][i] - a) > 1e-9 * size)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "the comparison of %s in row %zu is no straight line in the "
                              "parameter '%s'; free parameters may be multiplied and added, as in "
                              "\"%s*x + y >= 1\"",
                              difference, i + 1, name, name);
        a = cairn_number_left(a, size);
        sign[i] = isnan(a) ? NAN : (a > 0) - (a < 0);
        limit[i] = a == 0 ? -at[0][i] : -at[0][i] / a;
    }
    CHECK(add_hidden(ctx, table, "sign", number, sign));
    return add_hidden(ctx, table, "limit", number, limit);
}

/* The relation from the other side: < becomes >. */
static void turn_relation(char *out, const char *relation)
{
    for (; *relation; relation++)
        *out++ = *relation == '<' ? '>' : *relation == '>' ? '<' : *relation;
    *out = 0;
}

/* The comparison around a relation, from its first token to behind its last. */
static cairn_status comparison_at(cairn_context *ctx, const cairn_token *tokens, size_t n,
                                  size_t at, size_t *first, size_t *last)
{
    int depth = 0;
    for (*first = at; *first > 0; --*first) {
        const cairn_token *t = &tokens[*first - 1];
        depth += (t->kind == CAIRN_TOKEN_CLOSE) - (t->kind == CAIRN_TOKEN_OPEN);
        if (depth < 0 || (depth == 0 && cairn_ends_side(t))) break;
    }
    depth = 0;
    for (*last = at + 1; *last < n; ++*last) {
        const cairn_token *t = &tokens[*last];
        depth += (t->kind == CAIRN_TOKEN_OPEN) - (t->kind == CAIRN_TOKEN_CLOSE);
        if (depth < 0 || (depth == 0 && cairn_ends_side(t))) break;
    }
    bool chained = (*first && tokens[*first - 1].kind == CAIRN_TOKEN_RELATION) ||
                   (*last < n && tokens[*last].kind == CAIRN_TOKEN_RELATION);
    if (!chained && *first<at && * last> at + 1) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "a parameter stands in a comparison of two sides, as in "
                      "\"x + y >= M\"");
}

/* The only free parameter among the tokens; NULL = none, or one that stands alone already. */
static cairn_status lone_parameter(cairn_context *ctx, const char **out, const cairn_token *tokens,
                                   size_t first, size_t relation, size_t last, char **names,
                                   size_t n)
{
    size_t mentions = 0;
    *out = NULL;
    for (size_t i = first; i < last; i++)
        for (size_t k = 0; tokens[i].kind == CAIRN_TOKEN_NAME && k < n; k++) {
            if (!cairn_same(tokens[i].name, names[k])) continue;
            mentions++;
            if (*out && !cairn_same(*out, names[k]))
                return cairn_fail(ctx, CAIRN_USAGE,
                                  "the parameters '%s' and '%s' stand in one comparison; one of "
                                  "them may be free, put a number in the place of the other",
                                  *out, names[k]);
            *out = names[k];
        }
    bool alone = (relation == first + 1 && cairn_same(tokens[first].name, *out)) ||
                 (last == relation + 2 && cairn_same(tokens[relation + 1].name, *out));
    if (mentions == 1 && alone) *out = NULL;
    return CAIRN_OK;
}

/* The condition with every parameter alone on its side of a comparison. */
cairn_status cairn_free_parameters(cairn_context *ctx, const char **condition, char **names,
                                   size_t n_names, cairn_rule_grounds *g)
{
    const char *text = *condition, *name;
    cairn_token *tokens;
    size_t n, first, last, copied = 0;
    SCOPED(cairn_text_clear) cairn_text out = cairn_text_start(ctx);
    CHECK(cairn_rule_tokens(ctx, text, &tokens, &n));
    for (size_t i = 0; i < n; i++) {
        char *difference, *relation, *turned;
        if (tokens[i].kind != CAIRN_TOKEN_RELATION) continue;
        CHECK(comparison_at(ctx, tokens, n, i, &first, &last));
        CHECK(lone_parameter(ctx, &name, tokens, first, i, last, names, n_names));
        if (!name) continue;
        size_t begin = tokens[first].begin, end = tokens[last - 1].end, size = end - begin + 32;
        size_t length = tokens[i].end - tokens[i].begin;
        CHECK(SCRATCH_EACH(ctx, size, &difference, &relation, &turned));
        snprintf(difference, size, "(%.*s) - (%.*s)", (int)(tokens[i].begin - begin), text + begin,
                 (int)(end - tokens[i].end), text + tokens[i].end);
        memcpy(relation, text + tokens[i].begin, length);
        turn_relation(turned, relation);
        g->made++;
        CHECK(add_alone(ctx, g->rows, g->made, name, difference));
        if (g->fresh) CHECK(add_alone(ctx, g->fresh, g->made, name, difference));
        cairn_text_addf(&out,
                        "%.*s((_sign_%zu > 0 and %s %s _limit_%zu) or (_sign_%zu < 0 and %s "
                        "%s _limit_%zu) or (_sign_%zu = 0 and 0 %s _limit_%zu))",
                        (int)(begin - copied), text + copied, g->made, name, relation, g->made,
                        g->made, name, turned, g->made, g->made, relation, g->made);
        copied = end;
    }
    cairn_text_add(&out, text + copied);
    CHECK(cairn_text_status(&out));
    char *copy;
    CHECK(SCRATCH(ctx, &copy, out.length + 1));
    memcpy(copy, cairn_text_string(&out), out.length);
    *condition = copy;
    return CAIRN_OK;
}
