/* SPDX-License-Identifier: MIT */
/* Group: levels of a column are merged into fewer.
 *
 *   rare    levels with few rows, or all but the most common ones, become one level "other"
 *   given   groups that the user names: (warm=hot+mild,cold=cool); other levels stay
 *   spelling levels that differ in case, accents, blanks, hyphens or underscores only become the
 *           one of them with most rows, the first of equals
 *   target  levels in the order of their share of positives (or mean of a number target); the two
 *           neighbours whose shares differ least are merged, the first of equals, until as many
 *           groups are left as wanted. A merged share is that of all rows of the group. Levels
 *           without training rows stay by themselves.
 *
 * A group made of one level keeps its name, one made of several is called "a+b". */
#include "data/ledger.h"
#include "transforms/levels.h"
#include "base/words.h"
#include "data/column.h"
#include "report/table_rows.h"
#include <math.h>
#include <string.h>

typedef enum { GROUP_RARE, GROUP_GIVEN, GROUP_TARGET, GROUP_SPELLING } group_by;

typedef struct group_params {
    const char *columns, *groups, *other;
    int by; /* group_by */
    double min_rows, min_share;
    int most, count;
} group_params;

static const cairn_choice group_choices[] = {
    {"rare", GROUP_RARE, "levels with few rows become one"},
    {"given", GROUP_GIVEN, "as groups= says"},
    {"target", GROUP_TARGET, "neighbours by share of positives, until count= are left"},
    {"spelling", GROUP_SPELLING,
     "levels that differ in case, accents, blanks or hyphens only, under the most common spelling"},
    {0},
};

static const cairn_param group_param_table[] = {
    CAIRN_PARAM_CHOICE(group_params, by, "rare", group_choices, "what decides the groups"),
    CAIRN_PARAM_AS(group_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns to group; all level features when not given"),
    CAIRN_PARAM(group_params, groups, NULL, NULL,
                "groups with their levels, such as (warm=hot+mild,cold=cool)", .when = "by=given"),
    CAIRN_PARAM(group_params, min_rows, "0", "[0,inf)",
                "a level with fewer rows (by weight) is rare", .when = "by=rare"),
    CAIRN_PARAM(group_params, min_share, "0.01", "[0,1]",
                "a level with a smaller share of the rows is rare", .when = "by=rare"),
    CAIRN_PARAM(group_params, most, "0", "[0,inf)",
                "only this many levels, the most common, stay; 0 means all", .when = "by=rare"),
    CAIRN_PARAM(group_params, other, "other", NULL, "name of the level for rare ones",
                .when = "by=rare"),
    CAIRN_PARAM(group_params, count, "2", "[1,inf)", "number of groups to be left",
                .when = "by=target"),
    CAIRN_PARAM_END,
};

typedef struct group_state {
    cairn_levelled from, to; /* levels of the columns, and their groups */
    int32_t **places;        /* from.names.n arrays: the group of each level */
} group_state;

static cairn_status add_name(cairn_context *ctx, cairn_map *map, const char *name, int32_t *out)
{
    size_t index;
    cairn_status status = cairn_map_add(ctx, map, name, strlen(name), &index);
    if (status == CAIRN_OK) *out = (int32_t)index;
    return status;
}

/* Kept levels come first, in their old order, and the common level last; inside, -2 marks a level
 * that goes into it. */
static cairn_status group_rare(cairn_context *ctx, const group_params *p,
                               const cairn_column *column, const double *weights, cairn_map *groups,
                               int32_t *places)
{
    size_t n = column->names.n, *order;
    double total = 0, *keys;
    int32_t other;
    CHECK(SCRATCH(ctx, &keys, n + 1));
    for (size_t k = 0; k < n; k++) total += weights[k], keys[k] = -weights[k];
    CHECK(cairn_level_order(ctx, keys, n, &order));
    for (size_t k = 0; k < n; k++) places[k] = -1;
    for (size_t i = 0; i < n; i++) {
        double w = weights[order[i]];
        bool beyond = p->most && i >= (size_t)p->most;
        if (w < p->min_rows || w < p->min_share * total || beyond) places[order[i]] = -2;
    }
    for (size_t k = 0; k < n; k++)
        if (places[k] != -2)
            CHECK(add_name(ctx, groups, cairn_map_key(&column->names, k), &places[k]));
    for (size_t k = 0; k < n; k++) {
        if (places[k] != -2) continue;
        CHECK(add_name(ctx, groups, p->other, &other));
        places[k] = other;
    }
    return CAIRN_OK;
}

/* The group that names the level, as "group=a+b": its name in *out, or NULL. */
static cairn_status find_group(cairn_context *ctx, char **items, size_t n, const char *level,
                               const char **out)
{
    *out = NULL;
    for (size_t i = 0; i < n; i++) {
        char *equals = strchr(items[i], '=');
        char *name;
        if (!equals || equals == items[i] || !equals[1])
            return cairn_fail(ctx, CAIRN_USAGE,
                              "group: '%s' must be a group and its levels, such as warm=hot+mild",
                              items[i]);
        for (const char *at = equals + 1; *at; at += *at == '+') {
            size_t length = strcspn(at, "+");
            if (length == strlen(level) && memcmp(at, level, length) == 0) {
                CHECK(SCRATCH(ctx, &name, (size_t)(equals - items[i]) + 1));
                memcpy(name, items[i], (size_t)(equals - items[i]));
                *out = name;
                return CAIRN_OK;
            }
            at += length;
        }
    }
    return CAIRN_OK;
}

static cairn_status group_given(cairn_context *ctx, const group_params *p,
                                const cairn_column *column, cairn_map *groups, int32_t *places)
{
    char **items;
    size_t n;
    if (!p->groups)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "group: by=given needs groups=, such as (warm=hot+mild,cold=cool)");
    CHECK(cairn_list_split(ctx, p->groups, &items, &n));
    for (size_t k = 0; k < column->names.n; k++) {
        const char *level = cairn_map_key(&column->names, k), *group;
        CHECK(find_group(ctx, items, n, level, &group));
        CHECK(add_name(ctx, groups, group ? group : level, &places[k]));
    }
    return CAIRN_OK;
}

/* Runs of neighbouring levels that are merged. */
typedef struct runs {
    size_t *starts; /* run i begins at starts[i] of the order; starts[n] is its end */
    double *weights, *shares;
    const size_t *order;
    const cairn_map *names;
    cairn_report *out; /* of the steps; NULL = none */
    const char *key;   /* of the column there */
} runs;

/* "a+b": the levels of run i. */
static void run_cell(const runs *r, size_t i)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(r->out));
    for (size_t k = r->starts[i]; k < r->starts[i + 1]; k++)
        cairn_text_addf(&text, "%s%s", k > r->starts[i] ? "+" : "",
                        cairn_map_key(r->names, r->order[k]));
    cairn_report_cell(r->out, cairn_text_string(&text));
    cairn_report_failed(r->out, cairn_text_status(&text));
}

/* A merge of run i with the next one, which have `both` rows and the share `merged` together. */
static void show_merge(const runs *r, size_t number, size_t i, double merged)
{
    if (!r->out) return;
    cairn_report_cellf(r->out, "%zu", number);
    run_cell(r, i);
    cairn_report_cell_number(r->out, r->shares[i], 0, NULL);
    run_cell(r, i + 1);
    cairn_report_cell_number(r->out, r->shares[i + 1], 0, NULL);
    cairn_report_cell_number(r->out, r->shares[i + 1] - r->shares[i], 0, "group.%s.merge%zu.gap",
                             r->key, number);
    cairn_report_cell_number(r->out, merged, 0, "group.%s.merge%zu", r->key, number);
}

/* Merge neighbours among `n` runs of the order until `wanted` are left. */
static size_t merge_neighbours(const runs *r, size_t n, size_t wanted)
{
    size_t *starts = r->starts, number = 0;
    double *weights = r->weights, *shares = r->shares;
    cairn_report_table_of(r->out, "Merges, the smallest difference first", 0, "rlrlrrr", "",
                          "level", "share", "next", "share", "difference", "merged share");
    while (n > wanted && n > 1) {
        size_t best = 0;
        for (size_t i = 1; i + 1 < n; i++)
            if (shares[i + 1] - shares[i] < shares[best + 1] - shares[best]) best = i;
        double both = weights[best] + weights[best + 1];
        double merged =
            (weights[best] * shares[best] + weights[best + 1] * shares[best + 1]) / both;
        show_merge(r, ++number, best, merged);
        shares[best] = merged;
        weights[best] = both;
        for (size_t i = best + 1; i + 1 < n; i++)
            weights[i] = weights[i + 1], shares[i] = shares[i + 1], starts[i] = starts[i + 1];
        starts[n - 1] = starts[n];
        n--;
    }
    cairn_report_table_end(r->out);
    return n;
}

static cairn_status name_run(cairn_context *ctx, const cairn_map *names, const size_t *order,
                             size_t begin, size_t end, cairn_map *groups, int32_t *places)
{
    int32_t place = 0;
    cairn_text text = cairn_text_start(ctx);
    for (size_t i = begin; i < end; i++)
        cairn_text_addf(&text, "%s%s", i > begin ? "+" : "", cairn_map_key(names, order[i]));
    cairn_status status = cairn_text_status(&text);
    if (status == CAIRN_OK) status = add_name(ctx, groups, cairn_text_string(&text), &place);
    for (size_t i = begin; i < end; i++) places[order[i]] = place;
    cairn_text_clear(&text);
    return status;
}

/* Levels are sorted by their share of the class and only neighbours merge until `count` runs are
 * left; a level without a training row has no share and stays by itself. */
static cairn_status group_target(cairn_context *ctx, const cairn_job *job, size_t feature,
                                 cairn_map *groups, int32_t *places)
{
    const group_params *p = job->params;
    const cairn_column *column = job->view->features[feature];
    size_t n = column->names.n, n_seen = 0, *order, *starts;
    double *weights, *shares, *run_weights, *run_shares;
    CHECK(cairn_level_shares(ctx, job, "group", feature, &weights, &shares));
    CHECK(cairn_level_order(ctx, shares, n, &order));
    CHECK(SCRATCH(ctx, &starts, n + 2));
    CHECK(SCRATCH_EACH(ctx, n + 1, &run_weights, &run_shares));
    for (; n_seen < n && !isnan(shares[order[n_seen]]); n_seen++) {
        starts[n_seen] = n_seen;
        run_weights[n_seen] = weights[order[n_seen]];
        run_shares[n_seen] = shares[order[n_seen]];
    }
    starts[n_seen] = n_seen;
    runs merging = {.starts = starts,
                    .weights = run_weights,
                    .shares = run_shares,
                    .order = order,
                    .names = &column->names,
                    .out = job->steps,
                    .key = cairn_report_key(job->steps, job->view->names[feature])};
    size_t left = merge_neighbours(&merging, n_seen, (size_t)p->count);
    for (size_t r = 0; r < left; r++)
        CHECK(name_run(ctx, &column->names, order, starts[r], starts[r + 1], groups, places));
    for (size_t i = n_seen; i < n; i++)
        CHECK(name_run(ctx, &column->names, order, i, i + 1, groups, places));
    return CAIRN_OK;
}

/* Levels with the same key become the one of them with most rows. */
static cairn_status group_spelling(cairn_context *ctx, const cairn_column *column,
                                   const double *weights, cairn_map *groups, int32_t *places)
{
    cairn_status status = CAIRN_OK;
    const cairn_map *names = &column->names;
    cairn_map keys = {0};
    cairn_folded key = {0};
    size_t *key_of, *best;
    TRY(SCRATCH_EACH(ctx, names->n + 1, &key_of, &best));
    for (size_t k = 0; k < names->n; k++) {
        size_t before = keys.n;
        TRY(cairn_spelling_key(ctx, &key, cairn_map_key(names, k), names->lengths[k]));
        TRY(cairn_map_add(ctx, &keys, key.bytes, key.length, &key_of[k]));
        if (keys.n > before || weights[k] > weights[best[key_of[k]]]) best[key_of[k]] = k;
    }
    for (size_t k = 0; k < names->n; k++)
        TRY(add_name(ctx, groups, cairn_map_key(names, best[key_of[k]]), &places[k]));
done:
    cairn_folded_clear(&key);
    cairn_map_clear(&keys);
    return status;
}

static void show_groups(const cairn_job *job, const char *name, const cairn_column *column,
                        const double *weights, const cairn_map *groups, const int32_t *places)
{
    cairn_report *out = job->steps;
    if (!out) return;
    const char *key = cairn_report_key(out, name);
    cairn_report_table_of(out, name, 0, "lrl", "level", "rows", "group");
    for (size_t k = 0; k < column->names.n; k++) {
        const char *level = cairn_map_key(&column->names, k);
        bool wanted = cairn_report_row_wanted(out);
        const char *level_key = wanted ? cairn_report_key(out, level) : "";
        cairn_report_cell(out, level);
        cairn_report_cell_number(out, weights[k], 0, "group.%s.%s.rows", key, level_key);
        cairn_report_cell_word(out, cairn_map_key(groups, (size_t)places[k]), "group.%s.%s", key,
                               level_key);
    }
    cairn_report_table_end(out);
}

/* Remembers the old levels, the new ones and the way from one to the other for a column; `places`
 * has the new code of each old one. */
static cairn_status group_column(cairn_context *ctx, const cairn_job *job, size_t feature,
                                 group_state *s)
{
    const group_params *p = job->params;
    const cairn_column *column = job->view->features[feature];
    const char *name = job->view->names[feature];
    double *weights;
    size_t at = s->from.names.n;
    cairn_map *levels, *groups;
    CHECK(cairn_levelled_add(ctx, &s->from, name, &levels));
    CHECK(cairn_levelled_add(ctx, &s->to, name, &groups));
    if (s->from.names.n == at) return CAIRN_OK; /* named twice */
    CHECK(cairn_map_copy(ctx, levels, &column->names));
    CHECK(NEW(ctx, &s->places[at], column->names.n));
    CHECK(cairn_level_weights(ctx, job->view, column, &weights));
    switch ((group_by)p->by) {
    case GROUP_RARE: CHECK(group_rare(ctx, p, column, weights, groups, s->places[at])); break;
    case GROUP_GIVEN: CHECK(group_given(ctx, p, column, groups, s->places[at])); break;
    case GROUP_TARGET: CHECK(group_target(ctx, job, feature, groups, s->places[at])); break;
    case GROUP_SPELLING: CHECK(group_spelling(ctx, column, weights, groups, s->places[at])); break;
    }
    show_groups(job, name, column, weights, groups, s->places[at]);
    return CAIRN_OK;
}

static cairn_status group_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const group_params *p = job->params;
    group_state *s = state;
    size_t n, *chosen;
    CHECK(cairn_choose_features(ctx, job->view, "group", p->columns, cairn_fits_level,
                                "a level column", &chosen, &n));
    CHECK(cairn_levelled_new(ctx, &s->from, n));
    CHECK(cairn_levelled_new(ctx, &s->to, n));
    CHECK(NEW(ctx, &s->places, n));
    for (size_t i = 0; i < n; i++) CHECK(group_column(ctx, job, chosen[i], s));
    return CAIRN_OK;
}

/* Groups of the codes of the column at hand. */
static cairn_status groups_of(cairn_context *ctx, int32_t **out, const group_state *s, size_t i,
                              const cairn_column *column)
{
    cairn_status status = cairn_level_places(ctx, out, &s->from.levels[i], column);
    for (size_t k = 0; status == CAIRN_OK && k < column->names.n; k++)
        if ((*out)[k] >= 0) (*out)[k] = s->places[i][(*out)[k]];
    return status;
}

static cairn_status group_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                const void *params, const cairn_table *table)
{
    (void)params;
    const group_state *s = state;
    OWNED(cairn_table_free) cairn_table *copy = NULL;
    CHECK(cairn_table_share(ctx, &copy, table));
    for (size_t i = 0, at = 0; i < s->from.names.n; i++) {
        cairn_column *column;
        int32_t *places;
        CHECK(cairn_next_column(ctx, copy, cairn_map_key(&s->from.names, i), &at));
        CHECK(cairn_expect_kind(ctx, &copy->slots[at], CAIRN_LEVEL));
        CHECK(groups_of(ctx, &places, s, i, copy->slots[at].column));
        CHECK(cairn_relevel(ctx, &column, copy->slots[at].column, &s->to.levels[i], places, false));
        cairn_table_replace_column(copy, at, column);
    }
    *out = TAKE(copy);
    return CAIRN_OK;
}

/* Which spellings became which. */
static void show_merged(cairn_report *out, const group_state *s)
{
    cairn_report_table_of(out, "Spellings that were merged", 0, "lll", "column", "spelling",
                          "becomes");
    for (size_t i = 0; i < s->from.names.n; i++) {
        const char *name = cairn_map_key(&s->from.names, i), *key = cairn_report_key(out, name);
        for (size_t k = 0; k < s->from.levels[i].n; k++) {
            const char *from = cairn_map_key(&s->from.levels[i], k);
            const char *to = cairn_map_key(&s->to.levels[i], (size_t)s->places[i][k]);
            if (strcmp(from, to) == 0) continue;
            cairn_report_prefix(out, "group.%s.merged", key);
            cairn_report_cells(out, "- - @.$2", name, from, to);
        }
    }
    cairn_report_table_end(out);
}

static void group_describe(cairn_report *out, const void *state, const void *params)
{
    const group_state *s = state;
    cairn_report_table_of(out, "Groups of levels", 0, "lrr", "column", "levels", "groups");
    for (size_t i = 0; i < s->from.names.n; i++) {
        const char *name = cairn_map_key(&s->from.names, i), *key = cairn_report_key(out, name);
        cairn_report_prefix(out, "group.%s", key);
        cairn_report_cells(out, "- @.levels @.groups", name, (double)s->from.levels[i].n,
                           (double)s->to.levels[i].n);
    }
    cairn_report_table_end(out);
    if (((const group_params *)params)->by == GROUP_SPELLING) show_merged(out, s);
}

static void write_groups(cairn_ledger *out, const void *state, const cairn_job *job)
{
    const group_state *s = state;
    (void)job;
    cairn_ledger_columns(out, "ttt", "column", "level", "group");
    for (size_t i = 0; i < s->from.names.n; i++)
        for (size_t v = 0; v < s->from.levels[i].n; v++) {
            int32_t to = s->places[i][v];
            bool known = to >= 0 && (size_t)to < s->to.levels[i].n;
            cairn_ledger_cells(out, cairn_map_key(&s->from.names, i),
                               cairn_map_key(&s->from.levels[i], v),
                               known ? cairn_map_key(&s->to.levels[i], (size_t)to) : NULL);
        }
}

static const cairn_learned group_tables[] = {
    CAIRN_LEARNED("group.levels", "level of a column, and its group", write_groups),
    CAIRN_LEARNED_END};

static cairn_status archive_places(cairn_archive *a, void *state, const void *around)
{
    group_state *s = state;
    (void)around;
    if (s->to.names.n != s->from.names.n)
        return cairn_archive_damaged(a, "columns and groups do not agree");
    if (cairn_archive_reading(a)) CHECK(NEW(cairn_archive_context(a), &s->places, s->from.names.n));
    for (size_t i = 0; i < s->from.names.n; i++) {
        CHECK(cairn_archive_ints(a, "places", &s->places[i], s->from.levels[i].n));
        for (size_t k = 0; k < s->from.levels[i].n; k++)
            if (s->places[i][k] < 0 || (size_t)s->places[i][k] >= s->to.levels[i].n)
                return cairn_archive_damaged(a, "a level belongs to no group");
    }
    return CAIRN_OK;
}

static void clear_places(void *state)
{
    group_state *s = state;
    for (size_t i = 0; s->places && i < s->from.names.n; i++) cairn_free(s->places[i]);
    cairn_free(s->places);
}

static const cairn_kept group_keeps[] = {
    KEEP_PART(group_state, from, .rows = cairn_levelled_keeps),
    KEEP_PART(group_state, to, .rows = cairn_levelled_keeps),
    KEEP_BY(archive_places, .clear = clear_places),
    KEEP_END,
};

const cairn_transform cairn_group = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "group",
              .also = "merge levels, rare levels, lump levels",
              .title = "Group levels",
              .summary =
                  "Merges levels of categorical columns: rare ones into a level 'other', groups "
                  "that are given by name, spellings of the same word, or levels whose share of "
                  "positives (mean of a number "
                  "target) is nearly the same. Fewer levels mean more rows for each and fewer "
                  "indicator columns.",
              .references = "Flach, Machine Learning",
              .example =
                  "cairn convert @weather weather-grouped.csv --with group:by=target,count=2",
              .params = group_param_table,
              .params_size = sizeof(group_params)},
    .state_size = sizeof(group_state),
    .tables = group_tables,
    .fit = group_fit,
    .apply = group_apply,
    .lower = cairn_lower_levels,
    .describe = group_describe,
    .keeps = group_keeps,
};
