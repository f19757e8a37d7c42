/* SPDX-License-Identifier: MIT */
/* cairn describe: data checks. Rows are hashed once over the features and once with the target;
 * sorting by both hashes brings equal inputs together, with equal labels side by side: what repeats
 * is a duplicate, what differs in the label alone a contradiction. Rows with equal hashes are
 * compared cell by cell before anything is said about them. */
#include "command/describe.h"
#include "data/row_names.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/words.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include "report/table_rows.h"

#include <math.h>
#include <string.h>

enum { MOST_REPORTED = 10, ROW_BLOCK = 4096, MOST_SPELLINGS = 10000 };
#define SMALL_CLASS 10    /* rows */
#define SKEW        10.0  /* largest class over smallest */
#define ID_ROWS     10    /* fewer rows may differ by chance */
#define MOSTLY_SAME 0.995 /* share of one value */

/* -- rows -- */

typedef struct row_hashes {
    const cairn_table *table;
    uint64_t *inputs, *whole; /* per row: features; features and targets */
    uint8_t *gaps;            /* per row: a feature is missing */
} row_hashes;

static uint64_t mix(uint64_t hash, uint64_t bits)
{
    hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static uint64_t hash_items(const cairn_column *column, size_t row)
{
    size_t begin = column->starts[row], end = column->starts[row + 1];
    uint64_t hash = 3;
    if (column->items)
        hash = cairn_hash(column->items + begin, (end - begin) * sizeof *column->items, hash);
    if (!column->amounts) return hash;
    return cairn_hash(column->amounts + begin, (end - begin) * sizeof *column->amounts, hash);
}

static uint64_t cell_bits(const cairn_column *column, size_t row)
{
    switch (column->kind) {
    case CAIRN_NUMBER:
    case CAIRN_TIME: return cairn_order_key(column->numbers[row]);
    case CAIRN_LEVEL: return (uint64_t)column->codes[row] + 2;
    case CAIRN_TEXT:
        return cairn_hash(column->bytes + column->starts[row],
                          column->starts[row + 1] - column->starts[row], 5);
    case CAIRN_BAG:
    case CAIRN_SEQUENCE:
    case CAIRN_SERIES: return hash_items(column, row);
    }
    return 0;
}

/* Two hashes per row, without and with the target, so that one sorting finds duplicates and
 * contradictions together. */
static void hash_rows(void *data, size_t block, size_t begin, size_t end, int worker)
{
    row_hashes *h = data;
    (void)block;
    (void)worker;
    for (size_t i = begin; i < end; i++) h->inputs[i] = 0x243F6A8885A308D3u;
    for (size_t c = 0; c < h->table->n_columns; c++) {
        const cairn_slot *slot = &h->table->slots[c];
        if (slot->role != CAIRN_FEATURE) continue;
        for (size_t i = begin; i < end; i++)
            h->inputs[i] = mix(h->inputs[i], cell_bits(slot->column, i));
        if (!slot->column->n_missing) continue;
        for (size_t i = begin; i < end; i++) h->gaps[i] |= cairn_column_is_missing(slot->column, i);
    }
    for (size_t i = begin; i < end; i++) h->whole[i] = h->inputs[i];
    for (size_t c = 0; c < h->table->n_columns; c++) {
        const cairn_slot *slot = &h->table->slots[c];
        if (slot->role != CAIRN_TARGET) continue;
        for (size_t i = begin; i < end; i++)
            h->whole[i] = mix(h->whole[i], cell_bits(slot->column, i) + 1);
    }
}

static bool same_cells(const cairn_table *table, size_t a, size_t b)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->slots[c].role == CAIRN_FEATURE &&
            cell_bits(table->slots[c].column, a) != cell_bits(table->slots[c].column, b))
            return false;
    return true;
}

/* What the sorted hashes tell. */
typedef struct repeats {
    size_t n_duplicates;            /* rows equal to an earlier one, label and all */
    size_t n_contradictory;         /* rows whose inputs also occur with another label */
    size_t n_groups;                /* sets of contradictory rows */
    size_t first[MOST_REPORTED][2]; /* two rows of the first such sets */
    size_t n_first;
    size_t duplicate; /* the first row that repeats another */
} repeats;

/* Keep the pairs with the lowest rows, in order. */
static void keep_first(repeats *out, size_t a, size_t b)
{
    size_t low = a < b ? a : b, high = a < b ? b : a, at = out->n_first;
    while (at > 0 && out->first[at - 1][0] > low) at--;
    if (at >= MOST_REPORTED) return;
    if (out->n_first < MOST_REPORTED) out->n_first++;
    for (size_t i = out->n_first - 1; i > at; i--) {
        out->first[i][0] = out->first[i - 1][0];
        out->first[i][1] = out->first[i - 1][1];
    }
    out->first[at][0] = low;
    out->first[at][1] = high;
}

/* One run of rows with equal inputs: `rows` in the order of their labels' hashes. */
static void read_run(repeats *out, const cairn_table *table, const row_hashes *h,
                     const uint64_t *rows, size_t n)
{
    size_t labels = 1, checked = 0;
    while (checked < n && checked < 64 && same_cells(table, rows[0], rows[checked])) checked++;
    if (checked < n && checked < 64) return;
    for (size_t i = 1; i < n; i++) {
        if (h->whole[rows[i]] != h->whole[rows[i - 1]]) {
            if (labels++ == 1) keep_first(out, rows[i - 1], rows[i]);
            continue;
        }
        out->n_duplicates++;
        if (rows[i] < out->duplicate) out->duplicate = rows[i];
    }
    if (labels == 1) return;
    out->n_groups++;
    out->n_contradictory += n;
}

/* Sorting is stable: first by the whole, then by the inputs, so rows of equal inputs come
 * together with equal labels side by side. */
static cairn_status find_repeats(cairn_describing *d, repeats *out, const cairn_table *table,
                                 size_t *n_gaps)
{
    SCOPED_SCRATCH(d->ctx);
    size_t n = table->n_rows;
    row_hashes h = {.table = table};
    uint64_t *keys, *rows;
    CHECK(SCRATCH_RAW_EACH(d->ctx, n, &h.inputs, &h.whole));
    CHECK(SCRATCH(d->ctx, &h.gaps, n + 1));
    CHECK(SCRATCH_RAW_EACH(d->ctx, n, &keys, &rows));
    CHECK(cairn_blocks(d->ctx, n, ROW_BLOCK, hash_rows, &h));
    for (size_t i = 0; i < n; i++) {
        keys[i] = h.whole[i];
        rows[i] = i;
        *n_gaps += h.gaps[i];
    }
    CHECK(cairn_sort_keys(d->ctx, keys, rows, n));
    for (size_t i = 0; i < n; i++) keys[i] = h.inputs[rows[i]];
    CHECK(cairn_sort_keys(d->ctx, keys, rows, n));
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && keys[end] == keys[i];) end++;
        if (end - i > 1) read_run(out, table, &h, rows + i, end - i);
    }
    return CAIRN_OK;
}

/* Contradictory rows bound the accuracy of any learner, so the first of them are shown with
 * their row numbers. */
static void show_contradictions(cairn_describing *d, const repeats *r)
{
    char text[2][64];
    if (!r->n_groups || d->target < 0) return;
    cairn_report_note(d->report,
                      "%zu rows have the same inputs as another row but a different %s (%zu set%s "
                      "of such rows): no learner can get all of them right.",
                      r->n_contradictory, d->table->slots[d->target].name, r->n_groups,
                      r->n_groups == 1 ? "" : "s");
    cairn_report_table_of(d->report, "Contradictory rows", MOST_REPORTED, "rlrl", "row", "label",
                          "row", "label");
    for (size_t i = 0; i < r->n_first; i++)
        for (int k = 0; k < 2; k++) {
            cairn_table_cell(d->table, (size_t)d->target, r->first[i][k], text[k], sizeof text[k]);
            cairn_report_prefix(d->report, "checks.contradiction.%zu.%d", i + 1, k + 1);
            cairn_report_cells(d->report, "@", (double)r->first[i][k] + 1, text[k]);
        }
}

/* Looks at rows as a whole: duplicates, contradictions, gaps, and more features than rows. */
static cairn_status check_rows(cairn_describing *d)
{
    repeats r = {.duplicate = (size_t)-1};
    size_t n_gaps = 0, n_features = cairn_table_role_count(d->table, CAIRN_FEATURE);
    if (!n_features || d->table->n_rows < 2) return CAIRN_OK;
    CHECK(find_repeats(d, &r, d->table, &n_gaps));
    cairn_report_value(d->report, "duplicate rows", (double)r.n_duplicates, "checks.duplicates");
    if (d->target >= 0)
        cairn_report_value(d->report, "contradictory rows", (double)r.n_contradictory,
                           "checks.contradictory");
    cairn_report_value(d->report, "rows with a missing feature", (double)n_gaps,
                       "checks.incomplete");
    if (r.n_duplicates)
        cairn_report_hidden(d->report, (double)r.duplicate + 1, "checks.first_duplicate");
    if (r.n_duplicates)
        cairn_report_paragraph(d->report, "Row %zu is the first that repeats an earlier one.",
                               r.duplicate + 1);
    show_contradictions(d, &r);
    if (d->table->n_rows < n_features)
        cairn_report_note(d->report,
                          "There are more features (%zu) than rows (%zu): many models would fit by "
                          "chance.",
                          n_features, d->table->n_rows);
    return CAIRN_OK;
}

/* Columns that name the rows, alone or together (a person in a year), name each of them once. */
static cairn_status check_names(cairn_describing *d)
{
    repeats r = {.duplicate = (size_t)-1};
    size_t n_gaps = 0, n = 0;
    OWNED(cairn_table_free) cairn_table *names = NULL;
    SCOPED(cairn_text_clear) cairn_text unit = cairn_text_start(d->ctx);
    if (!cairn_table_role_count(d->table, CAIRN_ID)) return CAIRN_OK;
    CHECK(cairn_table_share(d->ctx, &names, d->table));
    for (size_t i = 0; i < names->n_columns; i++) {
        bool is = names->slots[i].role == CAIRN_ID;
        names->slots[i].role = is ? CAIRN_FEATURE : CAIRN_IGNORED;
        if (is) cairn_text_addf(&unit, "%s%s", n++ ? ", " : "", names->slots[i].name);
    }
    CHECK(cairn_text_status(&unit));
    CHECK(find_repeats(d, &r, names, &n_gaps));
    cairn_report_word(d->report, "rows are named by", cairn_text_string(&unit), "checks.unit");
    cairn_report_value(d->report, "rows with the name of another", (double)r.n_duplicates,
                       "checks.names_repeated");
    if (r.n_duplicates)
        cairn_report_note(d->report,
                          "Row %zu is the first whose %s stood in an earlier one: what is observed "
                          "once per row may need a further column to tell rows apart (--id a,b).",
                          r.duplicate + 1, n == 1 ? "name" : "combination of names");
    return CAIRN_OK;
}

/* -- columns -- */

static double largest_share(const cairn_describing *d, size_t i)
{
    const cairn_column_facts *f = &d->facts[i];
    double total = 0;
    if (f->measurement == CAIRN_QUANTITATIVE)
        return f->n ? f->summary.mode_weight / (d->weights ? f->summary.n : (double)f->n) : NAN;
    for (size_t k = 0; k < d->table->slots[i].column->names.n; k++) total += f->counts[k];
    return total > 0 ? f->counts[f->order[0]] / total : NAN;
}

/* Whole numbers that step by one, or levels and texts that all differ, seem to name the rows. */
static bool is_id_like(const cairn_describing *d, size_t i)
{
    const cairn_column_facts *f = &d->facts[i];
    const cairn_summary *s = &f->summary;
    if (f->n < ID_ROWS || f->n != d->table->n_rows) return false;
    if (f->measurement == CAIRN_QUANTITATIVE)
        return s->whole && s->n_distinct == f->n && s->range == (double)f->n - 1;
    return f->measurement != CAIRN_NO_STATISTICS && f->n_used == f->n;
}

/* A text column whose cells all differ; hashing tells. */
static cairn_status is_id_text(cairn_describing *d, size_t i, bool *out)
{
    SCOPED_SCRATCH(d->ctx);
    const cairn_column *column = d->table->slots[i].column;
    size_t n = column->n_rows;
    uint64_t *keys;
    *out = false;
    if (column->kind != CAIRN_TEXT || column->n_missing || n < ID_ROWS) return CAIRN_OK;
    CHECK(SCRATCH_RAW(d->ctx, &keys, n));
    for (size_t k = 0; k < n; k++) keys[k] = cell_bits(column, k);
    CHECK(cairn_sort_keys(d->ctx, keys, NULL, n));
    *out = true;
    for (size_t k = 1; k < n; k++) *out &= keys[k] != keys[k - 1];
    return CAIRN_OK;
}

static bool is_constant(const cairn_describing *d, size_t i)
{
    const cairn_column_facts *f = &d->facts[i];
    if (f->n < 2 || f->measurement == CAIRN_NO_STATISTICS) return false;
    return (f->measurement == CAIRN_QUANTITATIVE ? f->summary.n_distinct : f->n_used) == 1;
}

/* One remark on a column that is of little use for learning. */
static cairn_status remark_column(cairn_describing *d, size_t i, size_t *reported)
{
    const cairn_slot *slot = &d->table->slots[i];
    const char *key = cairn_report_key(d->report, slot->name), *kind = NULL;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(d->ctx);
    SCOPED(cairn_text_clear) cairn_text option = cairn_text_start(d->ctx);
    bool id_text, id;
    cairn_text_add_shell(&option, slot->name, strlen(slot->name));
    CHECK(cairn_text_status(&option));
    CHECK(is_id_text(d, i, &id_text));
    CHECK(cairn_column_names_rows(d->ctx, d->table, i, CAIRN_NAMED_LIKELY, &id));
    id &= slot->chosen == CAIRN_ROLE_OPEN;
    double share = d->facts[i].measurement == CAIRN_NO_STATISTICS ? NAN : largest_share(d, i);
    if (slot->column->n_missing == slot->column->n_rows) {
        kind = "empty";
        cairn_text_addf(&text, "'%s' is missing in every row; --ignore it.", slot->name);
    } else if (is_constant(d, i)) {
        kind = "constant";
        cairn_text_addf(&text,
                        "'%s' has the same value in every row; nothing can be learned from "
                        "it.",
                        slot->name);
    } else if (id) {
        kind = "id_like";
        cairn_text_addf(
            &text,
            "'%s' differs in every row, so it seems to name the rows and is not learned "
            "from; --id none learns from it.",
            slot->name);
    } else if (is_id_like(d, i) || id_text) {
        kind = "id_like";
        cairn_text_addf(&text,
                        "'%s' differs in every row, so it seems to name the rows; --id%s "
                        "keeps it from being learned from.",
                        slot->name, cairn_text_string(&option));
    } else if (share >= MOSTLY_SAME && d->facts[i].n >= 200) {
        kind = "nearly_constant";
        cairn_text_addf(&text, "'%s' has one value in %d of 1000 rows; it can hardly help.",
                        slot->name, (int)(share * 1000));
    }
    CHECK(cairn_text_status(&text));
    if (kind) {
        cairn_report_hidden(d->report, 1, "checks.%s.%s", kind, key);
        if ((*reported)++ < MOST_REPORTED)
            cairn_report_note(d->report, "%s", cairn_text_string(&text));
    }
    return CAIRN_OK;
}

static cairn_status check_columns(cairn_describing *d)
{
    size_t reported = 0;
    for (size_t i = 0; i < d->table->n_columns; i++)
        if (d->table->slots[i].role == CAIRN_FEATURE) CHECK(remark_column(d, i, &reported));
    if (reported > MOST_REPORTED)
        cairn_report_note(d->report, "%zu more columns are constant, empty or name the rows.",
                          reported - MOST_REPORTED);
    return CAIRN_OK;
}

/* Levels that a clerk would take for the same: they differ in case, accents or blanks only. */
static cairn_status check_levels(cairn_describing *d, const cairn_slot *slot, size_t *reported)
{
    const cairn_map *names = &slot->column->names;
    cairn_status status = CAIRN_OK;
    cairn_map keys = {0};
    cairn_folded key = {0};
    size_t *first, at;
    TRY(SCRATCH(d->ctx, &first, names->n + 1));
    for (size_t k = 0; k < names->n; k++) {
        size_t before = keys.n;
        TRY(cairn_spelling_key(d->ctx, &key, cairn_map_key(names, k), names->lengths[k]));
        TRY(cairn_map_add(d->ctx, &keys, key.bytes, key.length, &at));
        if (keys.n > before) first[at] = k;
        if (keys.n == before && (*reported)++ < MOST_REPORTED)
            cairn_report_note(d->report,
                              "'%s' has the levels '%s' and '%s', which differ in case, accents or "
                              "blanks only; 'cairn convert %s OUT --with group:by=spelling' makes "
                              "one of them.",
                              slot->name, cairn_map_key(names, first[at]), cairn_map_key(names, k),
                              d->table->source ? d->table->source : "IN");
    }
done:
    cairn_folded_clear(&key);
    cairn_map_clear(&keys);
    return status;
}

static cairn_status check_spellings(cairn_describing *d)
{
    size_t reported = 0;
    for (size_t i = 0; i < d->table->n_columns; i++) {
        const cairn_slot *slot = &d->table->slots[i];
        if (slot->column->kind != CAIRN_LEVEL || slot->column->names.n > MOST_SPELLINGS ||
            !cairn_describe_learns(slot))
            continue;
        cairn_scratch_mark mark = cairn_scratch_now(d->ctx);
        cairn_status status = check_levels(d, slot, &reported);
        cairn_scratch_release(d->ctx, mark);
        if (status) return status;
    }
    cairn_report_hidden(d->report, (double)reported, "checks.spellings");
    return CAIRN_OK;
}

/* Columns with the same values, found by their hashes. */
static cairn_status check_copies(cairn_describing *d)
{
    SCOPED_SCRATCH(d->ctx);
    size_t n = d->table->n_columns, reported = 0;
    uint64_t *keys, *columns;
    CHECK(SCRATCH_RAW_EACH(d->ctx, n + 1, &keys, &columns));
    for (size_t i = 0; i < n; i++) {
        keys[i] = d->facts[i].hash;
        columns[i] = i;
    }
    CHECK(cairn_sort_keys(d->ctx, keys, columns, n));
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && keys[end] == keys[i];) end++;
        for (size_t k = i + 1; k < end; k++) {
            const cairn_slot *a = &d->table->slots[columns[i]], *b = &d->table->slots[columns[k]];
            if (!keys[i] || !cairn_describe_learns(a) || !cairn_describe_learns(b)) continue;
            if (is_constant(d, columns[i]) || !d->facts[columns[i]].n) continue;
            if (reported++ >= MOST_REPORTED) continue;
            cairn_report_note(d->report, "'%s' and '%s' are the same column%s.", a->name, b->name,
                              a->column->kind == CAIRN_LEVEL ? " (up to the names of levels)" : "");
        }
    }
    cairn_report_hidden(d->report, (double)reported, "checks.copies");
    return CAIRN_OK;
}

/* -- target, missing cells, outliers -- */

/* A rare class makes accuracy misleading, and a small one leaves little to learn from; only the
 * graver of the two is told. */
static void check_classes(cairn_describing *d)
{
    if (d->target < 0) return;
    const cairn_slot *slot = &d->table->slots[d->target];
    const cairn_column_facts *f = &d->facts[d->target];
    if (slot->column->n_missing)
        cairn_report_note(
            d->report, "The target '%s' is missing in %zu row%s: nothing is learned from them.",
            slot->name, slot->column->n_missing, slot->column->n_missing == 1 ? "" : "s");
    if (slot->column->kind != CAIRN_LEVEL || f->n_used < 2) return;
    double most = f->counts[f->order[0]], least = f->counts[f->order[f->n_used - 1]];
    const char *rare = cairn_map_key(&slot->column->names, f->order[f->n_used - 1]);
    const char *common = cairn_map_key(&slot->column->names, f->order[0]);
    char ratio[CAIRN_NUMBER_SIZE], count[CAIRN_NUMBER_SIZE];
    cairn_number_format(ratio, most / least, 3);
    cairn_number_format(count, least, 6);
    cairn_report_hidden(d->report, most / least, "checks.class_skew");
    if (most >= SKEW * least)
        cairn_report_note(d->report,
                          "Classes are skewed: '%s' is %s times as common as '%s'. Accuracy will "
                          "look good without meaning much; compare with the majority class.",
                          common, ratio, rare);
    else if (least < SMALL_CLASS && d->table->n_rows >= 3 * SMALL_CLASS)
        cairn_report_note(d->report, "The class '%s' has only %s rows.", rare, count);
}

/* Columns with missing cells, fullest of them first in the order of the table. */
static void show_missing(cairn_describing *d)
{
    size_t n = 0;
    for (size_t i = 0; i < d->table->n_columns; i++) {
        const cairn_slot *slot = &d->table->slots[i];
        if (!slot->column->n_missing) continue;
        if (n++ == 0) {
            cairn_report_table_of(d->report, "Missing cells", d->limit < 30 ? d->limit : 30, "lrr",
                                  "column", "missing", "share");
        }
        cairn_report_cells(d->report, "- - missing_share.$1:3", slot->name,
                           (double)slot->column->n_missing,
                           (double)slot->column->n_missing / (double)d->table->n_rows);
    }
}

/* Fences are 1.5 and 3 interquartile ranges beyond the quartiles; the farthest value is named
 * with its row, to be looked up. */
static void show_outliers(cairn_describing *d)
{
    size_t n = 0;
    for (size_t i = 0; i < d->table->n_columns; i++) {
        const cairn_column_facts *f = &d->facts[i];
        const cairn_slot *slot = &d->table->slots[i];
        if (!f->n_outliers || !cairn_describe_learns(slot)) continue;
        if (n++ == 0) {
            cairn_report_table_of(d->report, "Outliers: beyond 1.5 IQR of the quartiles",
                                  d->limit < 30 ? d->limit : 30, "lrrrrrrr", "column", "below",
                                  "above", "values", "beyond 3 IQR", "share", "farthest", "in row");
        }
        const char *key = cairn_report_key(d->report, slot->name);
        /* The row whose value lies farthest beyond its fence. */
        const double *values = d->table->slots[i].column->numbers;
        const double *fences = d->facts[i].fences;
        size_t row = 0;
        double most = 0;
        for (size_t k = 0; k < d->table->n_rows && cairn_report_row_wanted(d->report); k++) {
            double beyond = fmax(fences[0] - values[k], values[k] - fences[1]);
            if (!(beyond > most) || !(cairn_describe_weight(d, k) > 0)) continue;
            most = beyond;
            row = k;
        }
        cairn_report_cell(d->report, slot->name);
        cairn_describe_cell(d, slot, f->fences[0], 5, "fence_low");
        cairn_describe_cell(d, slot, f->fences[1], 5, "fence_high");
        cairn_report_cell_number(d->report, (double)f->n_outliers, 0, "outliers.%s", key);
        cairn_report_cell_number(d->report, (double)f->n_far, 0, "far_outliers.%s", key);
        cairn_report_cell_number(d->report, (double)f->n_outliers / (double)f->n, 3, NULL);
        cairn_describe_cell(d, slot, slot->column->numbers[row], 5, "farthest");
        cairn_report_cell_number(d->report, (double)row + 1, 0, "farthest_row.%s", key);
    }
}

cairn_status cairn_describe_checks(cairn_describing *d)
{
    cairn_report_heading(d->report, 2, "Checks");
    CHECK(check_rows(d));
    CHECK(check_names(d));
    CHECK(check_columns(d));
    CHECK(check_copies(d));
    CHECK(check_spellings(d));
    check_classes(d);
    size_t reported = 0;
    for (size_t i = 0; i < d->table->n_columns; i++)
        if (d->facts[i].n_infinite && reported++ < MOST_REPORTED)
            cairn_report_note(d->report, "'%s' has %zu infinite cell%s; most learners refuse them.",
                              d->table->slots[i].name, d->facts[i].n_infinite,
                              d->facts[i].n_infinite == 1 ? "" : "s");
    show_missing(d);
    show_outliers(d);
    return CAIRN_OK;
}
