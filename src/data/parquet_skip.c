/* SPDX-License-Identifier: MIT */
/* Groups of rows that no condition can be true in.
 *
 * The foot of a file says of every chunk what its least and greatest values are and how many are
 * missing. From these ends follows what a comparison of a column with a constant can be in the
 * group, and from that what `and`, `or` and `not` of such comparisons can be. All else can be
 * anything. A condition that may say something about its rows, as a division by zero does, or that
 * counts them, reads them all.
 *
 * Statistics are what a writer claims. They are believed of groups that are skipped, as nothing of
 * these is read; in groups that are read they are compared with the cells, and a file whose
 * statistics lie is refused. */
#include "base/memory.h"
#include "data/column.h"
#include "data/expression_node.h"
#include "data/parquet.h"
#include <math.h>
#include <string.h>

/* What a condition can be for some row of a group; missing it may always be. */
typedef struct outcomes {
    bool yes, no;
} outcomes;

typedef struct skipping {
    cairn_context *ctx;
    const cairn_parquet_file *f;
    const cairn_expression *e;
    size_t group;
} skipping;

static const outcomes anything = {true, true};

static const cairn_node *node_at(const skipping *s, uint32_t number)
{
    return &s->e->nodes[number];
}

/* A number that is written out, perhaps with a sign. */
static bool constant(const skipping *s, const cairn_node *node, double *out)
{
    bool minus = node->op == OP_NEGATE;
    if (minus) node = node_at(s, node->child);
    if (node->op != OP_NUMBER && node->op != OP_TRUTH) return false;
    *out = minus ? -node->number : node->number;
    return true;
}

static const cairn_parquet_range *range_of(const skipping *s, size_t j)
{
    return &s->f->chunks[s->group * s->f->n_columns + j].range;
}

static bool all_missing(const skipping *s, size_t j)
{
    return range_of(s, j)->missing == (int64_t)s->f->groups[s->group].rows;
}

/* What a number between two ends can be beside a constant. */
static outcomes compare(cairn_op op, const double range[2], double with)
{
    double least = range[0], most = range[1];
    bool alone = least == with && most == with, inside = least <= with && with <= most;
    switch (op) {
    case OP_EQUAL: return (outcomes){inside, !alone};
    case OP_UNEQUAL: return (outcomes){!alone, inside};
    case OP_LESS: return (outcomes){least < with, most >= with};
    case OP_LESS_EQUAL: return (outcomes){least <= with, most > with};
    case OP_GREATER: return (outcomes){most > with, least <= with};
    case OP_GREATER_EQUAL: return (outcomes){most >= with, least < with};
    default: return anything;
    }
}

static cairn_op turned(cairn_op op)
{
    switch (op) {
    case OP_LESS: return OP_GREATER;
    case OP_LESS_EQUAL: return OP_GREATER_EQUAL;
    case OP_GREATER: return OP_LESS;
    case OP_GREATER_EQUAL: return OP_LESS_EQUAL;
    default: return op;
    }
}

/* Whether a text may be among those of a chunk, whose ends are compared by their bytes. */
static bool may_hold(const cairn_parquet_range *range, const char *text, size_t length)
{
    cairn_slice all = {text, length};
    cairn_slice least = {(const char *)range->least, range->least_bytes};
    cairn_slice most = {(const char *)range->most, range->most_bytes};
    return !range->least || !range->most ||
           (cairn_slice_compare(all, least) >= 0 && cairn_slice_compare(all, most) <= 0);
}

/* A column of texts that is one of some constants. */
static outcomes is_text(const skipping *s, const cairn_node *column)
{
    outcomes found = {false, true};
    for (uint32_t i = column->next; i != CAIRN_NO_NODE; i = node_at(s, i)->next) {
        const cairn_node *word = node_at(s, i);
        if (word->op != OP_TEXT) return anything;
        found.yes |= may_hold(range_of(s, (size_t)column->column), cairn_node_word(s->e, word),
                              word->length);
    }
    return found;
}

/* Column beside constants: the first child is the column, unless they stand the other way round. */
static cairn_status judge_comparison(const skipping *s, const cairn_node *node, outcomes *out)
{
    const cairn_node *left = node_at(s, node->child), *right = node_at(s, left->next);
    cairn_op op = node->op;
    double range[2], with;
    bool said;
    *out = anything;
    if (left->op != OP_COLUMN && node->n_children == 2 && op != OP_IN) {
        const cairn_node *other = left;
        left = right;
        right = other;
        op = turned(op);
    }
    if (left->op != OP_COLUMN) return CAIRN_OK;
    size_t j = (size_t)left->column;
    if (all_missing(s, j)) {
        *out = (outcomes){false, false};
        return CAIRN_OK;
    }
    if (!cairn_parquet_is_number(&s->f->columns[j])) {
        bool same = node->op == OP_EQUAL || node->op == OP_IN;
        if (same && left == node_at(s, node->child)) *out = is_text(s, left);
        return CAIRN_OK;
    }
    CHECK(cairn_parquet_said_numbers(s->ctx, s->f, j, s->group, range, &said));
    if (!said) return CAIRN_OK;
    if (op == OP_BETWEEN) {
        double high;
        const cairn_node *end = node_at(s, right->next);
        if (!constant(s, right, &with) || !constant(s, end, &high)) return CAIRN_OK;
        outcomes above = compare(OP_GREATER_EQUAL, range, with);
        outcomes below = compare(OP_LESS_EQUAL, range, high);
        *out = (outcomes){above.yes && below.yes, above.no || below.no};
    } else if (op == OP_IN) {
        outcomes found = {false, true};
        for (uint32_t i = left->next; i != CAIRN_NO_NODE; i = node_at(s, i)->next) {
            if (!constant(s, node_at(s, i), &with)) return CAIRN_OK;
            found.yes |= compare(OP_EQUAL, range, with).yes;
        }
        *out = found;
    } else if (constant(s, right, &with)) {
        *out = compare(op, range, with);
    }
    return CAIRN_OK;
}

static bool is_real(const cairn_parquet_column *column)
{
    return column->type == CAIRN_PARQUET_FLOAT || column->type == CAIRN_PARQUET_DOUBLE ||
           column->format[0] == 'e';
}

/* Reals may be missing without being counted, as NaN. */
static outcomes judge_missing(const skipping *s, const cairn_node *node)
{
    const cairn_node *column = node_at(s, node->child);
    if (column->op != OP_COLUMN) return anything;
    size_t j = (size_t)column->column;
    bool real = is_real(&s->f->columns[j]);
    return (outcomes){real || range_of(s, j)->missing != 0, !all_missing(s, j)};
}

static cairn_status judge(const skipping *s, uint32_t number, outcomes *out)
{
    const cairn_node *node = node_at(s, number);
    outcomes left = anything, right = anything;
    *out = anything;
    if (node->op == OP_AND || node->op == OP_OR) {
        CHECK(judge(s, node->child, &left));
        CHECK(judge(s, node_at(s, node->child)->next, &right));
    }
    switch (node->op) {
    case OP_AND: *out = (outcomes){left.yes && right.yes, left.no || right.no}; break;
    case OP_OR: *out = (outcomes){left.yes || right.yes, left.no && right.no}; break;
    case OP_NOT:
        CHECK(judge(s, node->child, &left));
        *out = (outcomes){left.no, left.yes};
        break;
    case OP_IS_MISSING: *out = judge_missing(s, node); break;
    case OP_EQUAL:
    case OP_UNEQUAL:
    case OP_LESS:
    case OP_LESS_EQUAL:
    case OP_GREATER:
    case OP_GREATER_EQUAL:
    case OP_BETWEEN:
    case OP_IN: return judge_comparison(s, node, out);
    default: break;
    }
    return CAIRN_OK;
}

/* A table without rows that has the columns of the file, for an expression to be checked against;
 * lists are left out, since no expression reads them. */
static cairn_status make_empty(cairn_context *ctx, cairn_table **out, const cairn_parquet_file *f)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(cairn_table_new(ctx, &table, 0));
    for (size_t j = 0; j < f->n_columns; j++) {
        const cairn_parquet_column *c = &f->columns[j];
        bool time = c->format[0] == 't' && c->format[1] != 'D';
        cairn_column *column;
        CHECK(cairn_column_new(ctx, &column,
                               !cairn_parquet_is_number(c) ? CAIRN_TEXT
                               : time                      ? CAIRN_TIME
                                                           : CAIRN_NUMBER,
                               0));
        CHECK(cairn_table_add_column(ctx, table, c->name, CAIRN_FEATURE, column));
    }
    *out = TAKE(table);
    return CAIRN_OK;
}

/* The condition bound to such a table; NULL where it cannot be, which is told when the rows are
 * there, or where its rows must all be seen. */
static cairn_status bind(cairn_context *ctx, const cairn_parquet_file *f, const char *condition,
                         cairn_table **table, cairn_expression **out)
{
    OWNED(cairn_expression_free) cairn_expression *e = NULL;
    CHECK(make_empty(ctx, table, f));
    cairn_status status = cairn_expression_new(ctx, &e, condition, *table);
    if (status == CAIRN_USAGE) return CAIRN_OK;
    CHECK(status);
    if (e->nodes[e->root].pure) *out = TAKE(e);
    return CAIRN_OK;
}

/* A file of which no group is left keeps one, so that it has columns and says what they are. */
cairn_status cairn_parquet_skip(cairn_context *ctx, cairn_parquet_file *f, const char *condition)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    OWNED(cairn_expression_free) cairn_expression *e = NULL;
    size_t n_left = 0, fewest = 0;
    CHECK(bind(ctx, f, condition, &table, &e));
    if (!e) return CAIRN_OK;
    for (size_t g = 0; g < f->n_groups; g++) {
        skipping s = {ctx, f, e, g};
        outcomes found;
        CHECK(judge(&s, e->root, &found));
        f->groups[g].skipped = !found.yes;
        n_left += found.yes && f->groups[g].rows;
        if (f->groups[fewest].rows == 0 ||
            (f->groups[g].rows && f->groups[g].rows < f->groups[fewest].rows))
            fewest = g;
    }
    if (!n_left && f->n_groups) f->groups[fewest].skipped = false;
    return CAIRN_OK;
}

/* -- what is said beside what is there -- */

static cairn_status lies(cairn_context *ctx, const cairn_parquet_file *f, size_t j, size_t group)
{
    return cairn_parquet_damaged(ctx, f, j, group,
                                 "its statistics lie: a value is outside of what they say, so that "
                                 "rows may be skipped that are asked for");
}

static cairn_status check_numbers(cairn_context *ctx, const cairn_parquet_file *f, size_t j,
                                  size_t group, const double *numbers)
{
    double range[2];
    bool said, outside = false;
    size_t missing = 0, n = f->groups[group].rows;
    int64_t missing_said = f->chunks[group * f->n_columns + j].range.missing;
    CHECK(cairn_parquet_said_numbers(ctx, f, j, group, range, &said));
    for (size_t i = 0; i < n; i++) {
        outside |= said && (numbers[i] < range[0] || numbers[i] > range[1]);
        missing += isnan(numbers[i]);
    }
    /* of reals NaN is missing, too, and is not counted */
    bool counted = missing_said < 0 || missing == (size_t)missing_said ||
                   (is_real(&f->columns[j]) && missing > (size_t)missing_said);
    return outside || !counted ? lies(ctx, f, j, group) : CAIRN_OK;
}

/* The text of a cell; no bytes when it is missing. */
static cairn_slice text_of(const cairn_column *column, size_t row)
{
    if (cairn_column_is_missing(column, row)) return (cairn_slice){0};
    if (column->kind == CAIRN_LEVEL) {
        size_t code = (size_t)column->codes[row];
        return (cairn_slice){cairn_map_key(&column->names, code), column->names.lengths[code]};
    }
    return (cairn_slice){column->bytes + column->starts[row],
                         column->starts[row + 1] - column->starts[row]};
}

static cairn_status check_texts(cairn_context *ctx, const cairn_parquet_file *f, size_t j,
                                size_t group, const cairn_column *column, size_t first)
{
    const cairn_parquet_range *range = &f->chunks[group * f->n_columns + j].range;
    size_t n = f->groups[group].rows, missing = 0;
    cairn_slice before = {0};
    for (size_t i = 0; i < n; i++) {
        cairn_slice text = text_of(column, first + i);
        missing += !text.bytes;
        if (!text.bytes || (text.bytes == before.bytes && text.length == before.length)) continue;
        if (!may_hold(range, text.bytes, text.length)) return lies(ctx, f, j, group);
        before = text;
    }
    return range->missing >= 0 && missing != (size_t)range->missing ? lies(ctx, f, j, group)
                                                                    : CAIRN_OK;
}

cairn_status cairn_parquet_check_said(cairn_context *ctx, const cairn_parquet_file *f,
                                      const char *condition, cairn_column *const *columns)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *table = NULL;
    OWNED(cairn_expression_free) cairn_expression *e = NULL;
    bool *used;
    CHECK(bind(ctx, f, condition, &table, &e));
    if (!e) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &used, f->n_columns));
    cairn_expression_reads(e, used);
    for (size_t j = 0; j < f->n_columns; j++) {
        const cairn_column *column = columns[j];
        if (!used[j] || f->columns[j].list_definition) continue;
        for (size_t g = 0, row = 0; g < f->n_groups; g++) {
            if (!cairn_parquet_reads(f, j, g)) continue;
            CHECK(column->numbers ? check_numbers(ctx, f, j, g, column->numbers + row)
                                  : check_texts(ctx, f, j, g, column, row));
            row += f->groups[g].rows;
        }
    }
    return CAIRN_OK;
}
