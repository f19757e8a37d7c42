/* SPDX-License-Identifier: MIT */
/* The model of rule learners: made from drafts, counted on the training rows, answering, saved. */
#include "learners/rules/rules.h"
#include "base/memory.h"
#include "base/sort_by.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

/* Which rules fire in which rows, 64 rows at a time as the bits of a word: a rule keeps the rows
 * that meet its conditions one after the other and ends when none is left. A condition that several
 * rules have is matched once for each word. In a long list whose rules ask for levels of one
 * column, as those of 1R do, a row looks only at the rules of its own level.
 *
 * A missing cell meets no condition but "= ?". */

enum { BITS = CAIRN_MATCH_ROWS, FEW_ROWS = 256, LONG_LIST = 64 };

/* -- one condition -- */

static bool has_level(const cairn_rules *m, size_t literal, int32_t code)
{
    for (int32_t i = m->level_starts[literal]; i < m->level_starts[literal + 1]; i++)
        if (m->levels[i] == code) return true;
    return false;
}

bool cairn_relation_holds(cairn_relation relation, double x, double with)
{
    switch (relation) {
    case CAIRN_EQUAL: return x == with;
    case CAIRN_UNEQUAL: return x != with;
    case CAIRN_BELOW: return x < with;
    case CAIRN_AT_MOST: return x <= with;
    case CAIRN_ABOVE: return x > with;
    case CAIRN_AT_LEAST: return x >= with;
    default: return false;
    }
}

bool cairn_literal_meets(const cairn_rules *m, size_t literal, int32_t code, double number)
{
    cairn_relation relation = (cairn_relation)m->relations[literal];
    if (m->is_number[m->columns[literal]]) {
        if (isnan(number)) return relation == CAIRN_IS_MISSING;
        return cairn_relation_holds(relation, number, m->numbers[literal]);
    }
    if (code < 0) return relation == CAIRN_IS_MISSING;
    if (relation == CAIRN_EQUAL) return has_level(m, literal, code);
    if (relation == CAIRN_UNEQUAL) return !has_level(m, literal, code);
    if (relation == CAIRN_IS_MISSING) return false;
    return cairn_relation_holds(relation, code, m->levels[m->level_starts[literal]]);
}

static bool literal_holds(const cairn_rules *m, size_t literal, const cairn_column *column,
                          size_t row)
{
    bool level = column->kind == CAIRN_LEVEL;
    return cairn_literal_meets(m, literal, level ? column->codes[row] : -1,
                               level ? NAN : column->numbers[row]);
}

static bool rule_fires(const cairn_rules *m, size_t rule, const cairn_view *view, size_t row)
{
    for (int32_t l = m->starts[rule]; l < m->starts[rule + 1]; l++)
        if (!literal_holds(m, (size_t)l, view->features[m->columns[l]], row)) return false;
    return true;
}

void cairn_rules_pattern(uint8_t *out, const cairn_rules *m, const cairn_view *view, size_t row)
{
    memset(out, 0, m->n_bytes);
    for (size_t r = 0; r + 1 < m->n_rules; r++)
        if (rule_fires(m, r, view, row)) out[r / 8] |= (uint8_t)(1u << (r % 8));
}

/* -- conditions that occur again -- */

/* An order in which every number has its place, even NaN. */
static int compare_bits(double a, double b)
{
    uint64_t p, q;
    memcpy(&p, &a, sizeof p);
    memcpy(&q, &b, sizeof q);
    return (p > q) - (p < q);
}

/* An order of conditions, 0 for the same ones. */
static int compare(const cairn_rules *m, size_t a, size_t b)
{
    int32_t n = m->level_starts[a + 1] - m->level_starts[a];
    int32_t other = m->level_starts[b + 1] - m->level_starts[b];
    if (m->columns[a] != m->columns[b]) return m->columns[a] < m->columns[b] ? -1 : 1;
    if (m->relations[a] != m->relations[b]) return m->relations[a] < m->relations[b] ? -1 : 1;
    if (n != other) return n < other ? -1 : 1;
    if (m->is_number[m->columns[a]]) return compare_bits(m->numbers[a], m->numbers[b]);
    for (int32_t i = 0; i < n; i++) {
        int32_t p = m->levels[m->level_starts[a] + i], q = m->levels[m->level_starts[b] + i];
        if (p != q) return p < q ? -1 : 1;
    }
    return 0;
}

static bool comes_before(const void *a, const void *b, const void *data)
{
    return compare(data, *(const uint32_t *)a, *(const uint32_t *)b) < 0;
}

static cairn_status find_shared(cairn_context *ctx, cairn_matcher *out)
{
    const cairn_rules *m = out->rules;
    uint32_t *order = NULL;
    CHECK(SCRATCH_RAW(ctx, &out->places, m->n_literals));
    for (size_t l = 0; l < m->n_literals; l++) out->places[l] = -1;
    if (out->view->rows.n < FEW_ROWS) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &order, m->n_literals));
    for (size_t l = 0; l < m->n_literals; l++) order[l] = (uint32_t)l;
    CHECK(cairn_sort_by(ctx, order, m->n_literals, sizeof *order, comes_before, m));
    for (size_t i = 1; i < m->n_literals; i++) {
        if (compare(m, order[i - 1], order[i]) != 0) continue;
        if (out->places[order[i - 1]] < 0) out->places[order[i - 1]] = (int32_t)out->n_shared++;
        out->places[order[i]] = out->places[order[i - 1]];
    }
    return CAIRN_OK;
}

/* -- chains of the rules of a level -- */

/* The level of column `key` that a rule cannot do without; -1 = none. */
static int32_t key_level(const cairn_rules *m, size_t rule, size_t key)
{
    for (int32_t l = m->starts[rule]; l < m->starts[rule + 1]; l++)
        if ((size_t)m->columns[l] == key && m->relations[l] == CAIRN_EQUAL && !m->is_number[key] &&
            m->level_starts[l + 1] == m->level_starts[l] + 1)
            return m->levels[m->level_starts[l]];
    return -1;
}

/* The column of whose levels most rules ask for one, by their first conditions. */
static cairn_status find_key(cairn_context *ctx, size_t *key, const cairn_rules *m)
{
    SCOPED_SCRATCH(ctx);
    size_t *uses = NULL;
    CHECK(SCRATCH(ctx, &uses, m->n_columns + 1));
    *key = 0;
    for (size_t r = 0; r < m->n_rules; r++) {
        if (m->starts[r] == m->starts[r + 1]) continue;
        size_t c = (size_t)m->columns[m->starts[r]];
        if (key_level(m, r, c) >= 0 && ++uses[c] > uses[*key]) *key = c;
    }
    return CAIRN_OK;
}

/* Chains pay where nearly all rules are in one; they are made from the last rule to the first. */
static cairn_status make_chains(cairn_context *ctx, cairn_matcher *out)
{
    const cairn_rules *m = out->rules;
    size_t keyed = 0;
    if (!m->ordered || m->n_rules < LONG_LIST || out->view->rows.n < FEW_ROWS) return CAIRN_OK;
    CHECK(find_key(ctx, &out->key, m));
    for (size_t r = 0; r < m->n_rules; r++) {
        int32_t level = key_level(m, r, out->key);
        keyed += level >= 0;
        if (level >= 0 && (size_t)level >= out->n_heads) out->n_heads = (size_t)level + 1;
    }
    if ((m->n_rules - keyed) * 8 > m->n_rules) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &out->follows, m->n_rules));
    CHECK(SCRATCH_RAW(ctx, &out->loose, m->n_rules - keyed));
    CHECK(SCRATCH_RAW(ctx, &out->heads, out->n_heads));
    for (size_t l = 0; l < out->n_heads; l++) out->heads[l] = -1;
    for (size_t r = m->n_rules; r-- > 0;) {
        int32_t level = key_level(m, r, out->key);
        if (level < 0) continue;
        out->follows[r] = out->heads[level];
        out->heads[level] = (int32_t)r;
    }
    for (size_t r = 0; r < m->n_rules; r++)
        if (key_level(m, r, out->key) < 0) out->loose[out->n_loose++] = (int32_t)r;
    return CAIRN_OK;
}

cairn_rule_walk cairn_rule_walk_start(const cairn_matcher *matcher, size_t view_row)
{
    size_t row = cairn_view_row(matcher->view, view_row);
    int32_t code = matcher->view->features[matcher->key]->codes[row];
    bool asked = code >= 0 && (size_t)code < matcher->n_heads;
    return (cairn_rule_walk){
        .matcher = matcher, .row = row, .chain = asked ? matcher->heads[code] : -1};
}

size_t cairn_rule_walk_next(cairn_rule_walk *walk)
{
    const cairn_matcher *matcher = walk->matcher;
    for (;;) {
        int32_t rule = matcher->loose[walk->loose];
        if (walk->chain >= 0 && walk->chain < rule) {
            rule = walk->chain;
            walk->chain = matcher->follows[rule];
        } else {
            walk->loose++;
        }
        if (rule_fires(matcher->rules, (size_t)rule, matcher->view, walk->row)) return (size_t)rule;
    }
}

static cairn_status matcher_make(cairn_context *ctx, cairn_matcher *out, const cairn_rules *rules,
                                 const cairn_view *view)
{
    size_t workers = (size_t)cairn_workers(ctx);
    *out = (cairn_matcher){.rules = rules, .view = view};
    CHECK(make_chains(ctx, out));
    if (out->heads) return CAIRN_OK;
    CHECK(find_shared(ctx, out));
    CHECK(SCRATCH_EACH(ctx, workers, &out->masks, &out->words));
    for (size_t w = 0; w < workers; w++) {
        CHECK(SCRATCH_RAW(ctx, &out->masks[w], out->n_shared));
        CHECK(SCRATCH(ctx, &out->words[w], out->n_shared));
    }
    return CAIRN_OK;
}

/* -- words of rows -- */

/* All rows of a word. */
static uint64_t matcher_rows(const cairn_matcher *matcher, size_t word)
{
    size_t n = matcher->view->rows.n - word * BITS;
    return n < BITS ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0;
}

/* Keep the rows of a word that meet a literal. */
static uint64_t meet_word(const cairn_matcher *matcher, size_t literal, size_t word, uint64_t bits)
{
    const cairn_rules *m = matcher->rules;
    const cairn_column *column = matcher->view->features[m->columns[literal]];
    cairn_relation relation = (cairn_relation)m->relations[literal];
    uint64_t kept = 0;
    bool level = column->kind == CAIRN_LEVEL;
    bool one = level && relation == CAIRN_EQUAL &&
               m->level_starts[literal + 1] == m->level_starts[literal] + 1;
    int32_t only = one ? m->levels[m->level_starts[literal]] : -1;
    double with = m->numbers[literal];
    for (uint64_t rest = bits; rest; rest &= rest - 1) {
        size_t at = (size_t)__builtin_ctzll(rest);
        size_t row = cairn_view_row(matcher->view, word * BITS + at);
        bool meets = one                                   ? column->codes[row] == only
                     : !level && relation == CAIRN_AT_MOST ? column->numbers[row] <= with
                     : !level && relation == CAIRN_ABOVE   ? column->numbers[row] > with
                                                           : literal_holds(m, literal, column, row);
        kept |= (uint64_t)meets << at;
    }
    return kept;
}

/* Those of the rows `bits` in which a rule fires. */
static uint64_t matcher_keep(const cairn_matcher *matcher, size_t rule, size_t word, uint64_t bits,
                             int worker)
{
    const cairn_rules *m = matcher->rules;
    uint64_t *masks = matcher->masks[worker];
    size_t *words = matcher->words[worker];
    for (int32_t l = m->starts[rule]; bits && l < m->starts[rule + 1]; l++) {
        int32_t place = matcher->places[l];
        if (place < 0) {
            bits = meet_word(matcher, (size_t)l, word, bits);
            continue;
        }
        if (words[place] != word + 1) {
            words[place] = word + 1;
            masks[place] = meet_word(matcher, (size_t)l, word, matcher_rows(matcher, word));
        }
        bits &= masks[place];
    }
    return bits;
}

/* The patterns of the rows of a word, n_bytes each. */
static void matcher_patterns(uint8_t *out, const cairn_matcher *matcher, size_t word, int worker)
{
    const cairn_rules *m = matcher->rules;
    memset(out, 0, BITS * m->n_bytes);
    for (size_t r = 0; r + 1 < m->n_rules; r++) {
        uint64_t bits = matcher_keep(matcher, r, word, matcher_rows(matcher, word), worker);
        for (; bits; bits &= bits - 1)
            out[(size_t)__builtin_ctzll(bits) * m->n_bytes + r / 8] |= (uint8_t)(1u << (r % 8));
    }
}

/* The first rule that fires in each of them. */
static void matcher_firsts(size_t out[CAIRN_MATCH_ROWS], const cairn_matcher *matcher, size_t word,
                           int worker)
{
    uint64_t left = matcher_rows(matcher, word);
    for (; matcher->heads && left; left &= left - 1) {
        size_t at = (size_t)__builtin_ctzll(left);
        cairn_rule_walk walk = cairn_rule_walk_start(matcher, word * BITS + at);
        out[at] = cairn_rule_walk_next(&walk);
    }
    for (size_t r = 0; left; r++) {
        uint64_t bits = matcher_keep(matcher, r, word, left, worker);
        left &= ~bits;
        for (; bits; bits &= bits - 1) out[__builtin_ctzll(bits)] = r;
    }
}

size_t cairn_pattern_next(const uint8_t *pattern, size_t rule, size_t n)
{
    while (rule < n) {
        uint64_t bytes;
        if (rule % 8 == 0 && rule + 64 <= n) {
            memcpy(&bytes, pattern + rule / 8, sizeof bytes);
            if (bytes == 0) {
                rule += 64;
                continue;
            }
        }
        if (rule % 8 == 0 && pattern[rule / 8] == 0) {
            rule += 8;
            continue;
        }
        if (cairn_pattern_has(pattern, rule)) return rule;
        rule++;
    }
    return n;
}

/* Rules as an operation: conditions, and the class shares of every rule as they are answered. */

/* How the runtime joins rules: see step_rules in src/export/runtime.h. */
enum { MODE_LIST, MODE_FIRST, MODE_AVERAGE, MODE_SUM, MODE_PATTERN };

static int32_t mode_of(const cairn_rules *m, cairn_rule_overlap overlap)
{
    if (m->ordered) return MODE_LIST;
    switch (overlap) {
    case CAIRN_OVERLAP_FIRST: return MODE_FIRST;
    case CAIRN_OVERLAP_SUM: return MODE_SUM;
    case CAIRN_OVERLAP_TREE: return MODE_PATTERN;
    default: return MODE_AVERAGE;
    }
}

/* A level condition stands for any of several levels; the first is also given as a number for
 * targets that know one only. */
static cairn_status lower_conditions(cairn_program *p, cairn_operation *op, const cairn_rules *m)
{
    int32_t *conditions;
    double *numbers;
    CHECK(cairn_op_copy_codes(p, op, 0, m->starts, m->n_rules + 1));
    CHECK(cairn_op_codes(p, op, 1, 3 * m->n_literals, &conditions));
    CHECK(cairn_op_copy_codes(p, op, 2, m->level_starts, m->n_literals + 1));
    CHECK(cairn_op_copy_codes(p, op, 3, m->levels, m->n_levels));
    CHECK(cairn_op_numbers(p, op, 0, m->n_literals, &numbers));
    for (size_t l = 0; l < m->n_literals; l++) {
        bool level = !m->is_number[m->columns[l]];
        bool has = m->level_starts[l] < m->level_starts[l + 1];
        conditions[3 * l] = m->columns[l];
        conditions[3 * l + 1] = m->relations[l];
        conditions[3 * l + 2] = level;
        numbers[l] = !level ? m->numbers[l] : has ? m->levels[m->level_starts[l]] : 0;
    }
    return CAIRN_OK;
}

/* What is added to a count and to a sum of counts: a smoothing is a line in both. */
static cairn_status lower_smoothing(cairn_program *p, cairn_operation *op, cairn_smoothing s,
                                    size_t k)
{
    double *pair, x = s.amount, n = (double)k;
    CHECK(cairn_op_numbers(p, op, 4, 2, &pair));
    switch (s.kind) {
    case CAIRN_SMOOTH_NONE: break;
    case CAIRN_SMOOTH_LAPLACE: pair[0] = 1, pair[1] = n; break;
    case CAIRN_SMOOTH_LAMBDA: pair[0] = x, pair[1] = x * n; break;
    case CAIRN_SMOOTH_M: pair[0] = x * (1 / n), pair[1] = x; break;
    case CAIRN_SMOOTH_BITS: pair[0] = 1, pair[1] = 2; break;
    }
    return CAIRN_OK;
}

/* Combinations of rules that training rows had, with their shares. */
static cairn_status lower_patterns(cairn_program *p, cairn_operation *op, const cairn_rules *m,
                                   cairn_smoothing smoothing)
{
    size_t k = m->n_classes, width = m->n_rules - 1, n = 0;
    int32_t *patterns;
    double *shares;
    CHECK(cairn_op_codes(p, op, 6, cairn_product(m->patterns.n, width), &patterns));
    CHECK(cairn_op_numbers(p, op, 3, cairn_product(m->patterns.n, k), &shares));
    for (size_t i = 0; i < m->patterns.n; i++) {
        const uint8_t *pattern = (const uint8_t *)cairn_map_key(&m->patterns, i);
        const double *counts = m->pattern_counts + i * k;
        double sum = 0;
        for (size_t l = 0; l < k; l++) sum += counts[l];
        if (!(sum > 0)) continue;
        for (size_t r = 0; r < width; r++) patterns[n * width + r] = cairn_pattern_has(pattern, r);
        cairn_smooth_counts(shares + n * k, smoothing, counts, k, NULL);
        n++;
    }
    op->sizes[3] = (int32_t)n;
    return CAIRN_OK;
}

cairn_status cairn_rules_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_rules *m = model;
    cairn_smoothing smoothing = cairn_rules_smoothing(job);
    int32_t mode = mode_of(m, cairn_rules_overlap(m, job)), *in;
    size_t k = m->n_classes, n;
    double *shares;
    cairn_operation *op;
    CHECK(cairn_program_features(out, &in, &n));
    CHECK(cairn_program_add(out, CAIRN_OP_RULES, in, n, k + 1, &op));
    op->sizes[0] = (int32_t)m->n_rules;
    op->sizes[1] = (int32_t)k;
    op->sizes[2] = mode;
    cairn_op_work(out, op, m->n_rules);
    CHECK(lower_conditions(out, op, m));
    CHECK(cairn_op_copy_codes(out, op, 4, m->labels, m->n_rules));
    CHECK(cairn_op_copy_codes(out, op, 5, m->stated, m->n_rules));
    CHECK(cairn_op_numbers(out, op, 1, cairn_product(m->n_rules, k), &shares));
    for (size_t r = 0; r < m->n_rules; r++)
        cairn_rule_shares(shares + r * k, m, r, mode <= MODE_FIRST, smoothing);
    CHECK(cairn_op_copy_numbers(out, op, 2, m->whole, cairn_product(m->n_rules, k)));
    CHECK(lower_smoothing(out, op, smoothing, k));
    if (mode == MODE_PATTERN) CHECK(lower_patterns(out, op, m, smoothing));
    out->answer.scores = op->out;
    out->answer.code = op->out + (int32_t)k;
    return CAIRN_OK;
}

enum { BLOCK_WORDS = 32, BLOCK_RULES = 64 };

/* -- making -- */

/* Conditions of all rules lie in one array, and so do their levels, which is how the file has
 * them. */
static cairn_status allocate(cairn_context *ctx, cairn_rules *m, const cairn_rule_draft *drafts,
                             size_t n, const cairn_job *job)
{
    m->n_rules = n;
    m->n_columns = job->view->n_features;
    m->n_classes = job->n_classes;
    m->positive = job->n_classes == 2 ? job->positive : -1;
    m->n_bytes = (n + 7) / 8;
    for (size_t r = 0; r < n; r++) {
        m->n_literals += drafts[r].n;
        for (size_t l = 0; l < drafts[r].n; l++) m->n_levels += drafts[r].body[l].n_levels;
    }
    CHECK(NEW(ctx, &m->starts, n + 1));
    CHECK(NEW_EACH(ctx, n, &m->labels, &m->stated, &m->probabilities));
    CHECK(NEW_EACH(ctx, m->n_literals, &m->columns, &m->relations, &m->numbers));
    CHECK(NEW(ctx, &m->level_starts, m->n_literals + 1));
    CHECK(NEW(ctx, &m->levels, m->n_levels));
    CHECK(NEW(ctx, &m->is_number, m->n_columns));
    CHECK(NEW_EACH(ctx, n * m->n_classes, &m->segments, &m->whole));
    for (size_t c = 0; c < m->n_columns; c++)
        m->is_number[c] = job->view->features[c]->kind != CAIRN_LEVEL;
    return CAIRN_OK;
}

/* A rule without a stated probability gets one from the rows that it covers, marked here as not
 * a number. */
static void copy_drafts(cairn_rules *m, const cairn_rule_draft *drafts)
{
    int32_t at = 0, level = 0;
    for (size_t r = 0; r < m->n_rules; r++) {
        const cairn_rule_draft *d = &drafts[r];
        m->labels[r] = d->label;
        m->stated[r] = d->stated;
        m->probabilities[r] = d->stated < 0 ? NAN : d->probability;
        for (size_t l = 0; l < d->n; l++, at++) {
            const cairn_condition *c = &d->body[l];
            m->columns[at] = (int32_t)c->column;
            m->relations[at] = (int32_t)c->relation;
            m->numbers[at] = c->number;
            for (size_t i = 0; i < c->n_levels; i++) m->levels[level++] = c->levels[i];
            m->level_starts[at + 1] = level;
        }
        m->starts[r + 1] = at;
    }
}

/* -- counting -- */

typedef struct counting {
    cairn_rules *m;
    const cairn_view *view;
    cairn_matcher matcher;
    size_t n_words;
    uint64_t *covers;  /* n_words x n_rules: bits of the view rows that a rule covers */
    uint8_t *patterns; /* sets: view rows x n_bytes */
} counting;

/* Which rows rules cover. */
static void match_words(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const counting *c = data;
    size_t n = c->m->n_rules;
    (void)block;
    for (size_t w = begin; w < end; w++) {
        uint64_t all = matcher_rows(&c->matcher, w);
        for (size_t r = 0; r < n; r++)
            c->covers[w * n + r] = matcher_keep(&c->matcher, r, w, all, worker);
    }
}

/* Add the rows of a word to counts by class. */
static void add_word(double *counts, const counting *c, size_t word, uint64_t bits)
{
    for (; bits; bits &= bits - 1) {
        size_t i = word * BITS + (size_t)__builtin_ctzll(bits);
        int32_t code = c->view->target->codes[cairn_view_row(c->view, i)];
        if (code >= 0) counts[code] += cairn_view_weight(c->view, i);
    }
}

/* What rules cover by class; rows are added in order, so that sums do not depend on threads. */
static void count_rules(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const counting *c = data;
    cairn_rules *m = c->m;
    (void)block;
    (void)worker;
    for (size_t w = 0; w < c->n_words; w++)
        for (size_t r = begin; r < end; r++)
            add_word(m->whole + r * m->n_classes, c, w, c->covers[w * m->n_rules + r]);
}

/* The same by rows, which follow the chains of a matcher; sums are added in the same order. */
static cairn_status count_rows(cairn_context *ctx, const counting *c)
{
    cairn_rules *m = c->m;
    for (size_t i = 0; i < c->view->rows.n; i++) {
        if (i % 4096 == 0) CHECK(cairn_tick(ctx, NULL, 0, 0));
        int32_t code = c->view->target->codes[cairn_view_row(c->view, i)];
        double weight = cairn_view_weight(c->view, i);
        cairn_rule_walk walk = cairn_rule_walk_start(&c->matcher, i);
        if (code < 0) continue;
        for (bool first = true;; first = false) {
            size_t rule = cairn_rule_walk_next(&walk), at = rule * m->n_classes + (size_t)code;
            m->whole[at] += weight;
            if (first) m->segments[at] += weight;
            if (rule + 1 == m->n_rules) break;
        }
    }
    return CAIRN_OK;
}

/* The rules of each row, as bytes. */
static void turn_words(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const counting *c = data;
    size_t n = c->m->n_rules;
    (void)block;
    (void)worker;
    for (size_t w = begin; w < end; w++)
        for (size_t r = 0; r + 1 < n; r++)
            for (uint64_t bits = c->covers[w * n + r]; bits; bits &= bits - 1) {
                size_t i = w * BITS + (size_t)__builtin_ctzll(bits);
                c->patterns[i * c->m->n_bytes + r / 8] |= (uint8_t)(1u << (r % 8));
            }
}

static size_t largest(const double *values, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (values[i] > values[best]) best = i;
    return best;
}

static double sum_of(const double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += values[i];
    return sum;
}

const double *cairn_rule_counts(const cairn_rules *m, size_t rule, bool as_list)
{
    bool segment = m->ordered || as_list || rule + 1 == m->n_rules;
    return (segment ? m->segments : m->whole) + rule * m->n_classes;
}

/* Heads that the text left to the rows, or gave as a probability. */
static void set_labels(cairn_rules *m)
{
    size_t k = m->n_classes, rest = m->n_rules - 1;
    m->fallback |= m->labels[rest] >= 0 || sum_of(m->segments + rest * k, k) > 0;
    for (size_t r = 0; r < m->n_rules; r++) {
        const double *counts = cairn_rule_counts(m, r, false);
        if (m->stated[r] >= 0) {
            double p = m->probabilities[r], other = k > 1 ? (1 - p) / (double)(k - 1) : 0;
            m->labels[r] = m->stated[r];
            if (p < other) m->labels[r] = m->stated[r] == 0 ? 1 : 0;
        } else if (m->labels[r] < 0) {
            const double *by = sum_of(counts, k) > 0 ? counts : m->whole + r * k;
            m->labels[r] = (int32_t)largest(sum_of(by, k) > 0 ? by : m->whole + rest * k, k);
        }
    }
}

/* Every rule on every word of rows: what rules cover, whose rows are whose and, of sets, which
 * combinations there are. */
static cairn_status count_words(cairn_context *ctx, counting *c)
{
    cairn_rules *m = c->m;
    size_t rows = c->view->rows.n;
    double work = (double)m->n_rules * (double)rows;
    c->n_words = (rows + BITS - 1) / BITS;
    CHECK(cairn_memory_check(ctx, (double)rows * (double)m->n_bytes * (m->ordered ? 1 : 2),
                             "matching the rules",
                             cairn_say(ctx, "raise {memory}, or use fewer rows, or settings by "
                                            "which fewer rules are learned")));
    CHECK(SCRATCH_RAW(ctx, &c->covers, cairn_product(m->n_rules, c->n_words)));
    CHECK(cairn_blocks_sized(ctx, c->n_words, BLOCK_WORDS, work, match_words, c));
    CHECK(cairn_blocks_sized(ctx, m->n_rules, BLOCK_RULES, work, count_rules, c));
    /* Give each row to the first rule that covers it. */
    for (size_t w = 0; w < c->n_words; w++) {
        const uint64_t *covers = c->covers + w * m->n_rules;
        uint64_t left = covers[m->n_rules - 1];
        for (size_t r = 0; left; r++) {
            add_word(m->segments + r * m->n_classes, c, w, covers[r] & left);
            left &= ~covers[r];
        }
    }
    if (m->ordered) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &c->patterns, cairn_product(rows, m->n_bytes)));
    CHECK(cairn_blocks_sized(ctx, c->n_words, BLOCK_WORDS, work, turn_words, c));
    /* Which combinations of rules occur, and in which rows: the leaves of the rule tree. */
    size_t k = m->n_classes, capacity = 0;
    for (size_t i = 0; i < c->view->rows.n; i++) {
        int32_t code = c->view->target->codes[cairn_view_row(c->view, i)];
        double weight = cairn_view_weight(c->view, i);
        size_t before = m->patterns.n, at;
        if (code < 0 || !(weight > 0)) continue;
        CHECK(cairn_map_add(ctx, &m->patterns, (const char *)c->patterns + i * m->n_bytes,
                            m->n_bytes, &at));
        if (m->patterns.n > before) {
            CHECK(GROW(ctx, &m->pattern_counts, &capacity, m->patterns.n * k));
            memset(m->pattern_counts + at * k, 0, k * sizeof *m->pattern_counts);
        }
        m->pattern_counts[at * k + (size_t)code] += weight;
    }
    if (!m->pattern_counts) CHECK(NEW(ctx, &m->pattern_counts, 0));
    return CAIRN_OK;
}

cairn_status cairn_rules_make(cairn_context *ctx, cairn_rules *m, const cairn_rule_draft *drafts,
                              size_t n, bool ordered, const cairn_job *job)
{
    counting c = {.m = m, .view = job->view};
    m->ordered = ordered;
    CHECK(allocate(ctx, m, drafts, n, job));
    copy_drafts(m, drafts);
    CHECK(matcher_make(ctx, &c.matcher, m, job->view));
    CHECK(c.matcher.heads ? count_rows(ctx, &c) : count_words(ctx, &c));
    if (ordered) CHECK(NEW(ctx, &m->pattern_counts, 0));
    set_labels(m);
    if (!ordered && job->history) CHECK(cairn_rules_count_regions(ctx, m, job));
    return CAIRN_OK;
}

static cairn_status read_rules(cairn_context *ctx, cairn_rules *m, const cairn_job *job,
                               const cairn_given *given, bool ordered)
{
    cairn_rule_draft *drafts = NULL;
    size_t n;
    CHECK(cairn_rules_read(ctx, &drafts, &n, given, job, ordered));
    CHECK(cairn_rules_make(ctx, m, drafts, n, ordered, job));
    if (job->steps && !ordered) CHECK(cairn_rules_show_rows(ctx, job->steps, m, job));
    return CAIRN_OK;
}

cairn_status cairn_rules_read_list(cairn_context *ctx, void *model, const cairn_job *job,
                                   const cairn_given *given)
{
    return read_rules(ctx, model, job, given, true);
}

cairn_status cairn_rules_read_set(cairn_context *ctx, void *model, const cairn_job *job,
                                  const cairn_given *given)
{
    return read_rules(ctx, model, job, given, false);
}

/* -- answers -- */

cairn_smoothing cairn_rules_smoothing(const cairn_job *job)
{
    const cairn_rules_options *options = job->params;
    cairn_smoothing smoothing = {0};
    /* its text was checked before data was read */
    if (cairn_smoothing_read(NULL, &smoothing, options->smoothing.smooth) != CAIRN_OK)
        smoothing = (cairn_smoothing){0};
    return smoothing;
}

cairn_rule_overlap cairn_rules_overlap(const cairn_rules *m, const cairn_job *job)
{
    const cairn_rules_options *options = job->params;
    return m->ordered ? CAIRN_OVERLAP_FIRST : (cairn_rule_overlap)options->overlap;
}

cairn_status cairn_rules_check_params(cairn_context *ctx, const void *values)
{
    const cairn_rules_options *options = values;
    cairn_smoothing smoothing;
    return cairn_smoothing_read(ctx, &smoothing, options->smoothing.smooth);
}

void cairn_rule_shares(double *out, const cairn_rules *m, size_t rule, bool as_list,
                       cairn_smoothing smoothing)
{
    size_t k = m->n_classes;
    const double *counts = cairn_rule_counts(m, rule, as_list);
    if (rule + 1 == m->n_rules && !(sum_of(counts, k) > 0) && !m->fallback)
        counts = m->whole + rule * k;
    if (m->stated[rule] >= 0) {
        double p = m->probabilities[rule];
        for (size_t l = 0; l < k; l++)
            out[l] = l == (size_t)m->stated[rule] ? p : (1 - p) / (double)(k - 1);
        return;
    }
    cairn_smooth_counts(out, smoothing, counts, k, NULL);
    if (!(sum_of(counts, k) > 0) && smoothing.kind == CAIRN_SMOOTH_NONE)
        for (size_t l = 0; l < k; l++) out[l] = l == (size_t)m->labels[rule];
}

/* The counts of exactly this combination; NULL when no training row had it. */
static const double *find_pattern(const cairn_rules *m, const uint8_t *pattern)
{
    int64_t at = cairn_map_find(&m->patterns, (const char *)pattern, m->n_bytes);
    return at < 0 ? NULL : m->pattern_counts + (size_t)at * m->n_classes;
}

/* Average the shares of rules of which some state a probability. */
static void average_shares(double *out, double *sums, const cairn_rules *m, const uint8_t *pattern,
                           cairn_smoothing smoothing)
{
    size_t k = m->n_classes, n = 0;
    memset(out, 0, k * sizeof *out);
    size_t last = m->n_rules - 1;
    for (size_t r = 0; (r = cairn_pattern_next(pattern, r, last)) < last; r++) {
        cairn_rule_shares(sums, m, r, false, smoothing);
        for (size_t l = 0; l < k; l++) out[l] += sums[l];
        n++;
    }
    for (size_t l = 0; l < k; l++) out[l] /= (double)n;
}

void cairn_pattern_shares(double *out, double *sums, const cairn_rules *m, const uint8_t *pattern,
                          cairn_rule_overlap overlap, cairn_smoothing smoothing)
{
    size_t k = m->n_classes, n = 0, last = m->n_rules - 1, first = last;
    bool stated = false;
    for (size_t r = 0; (r = cairn_pattern_next(pattern, r, last)) < last; r++) {
        if (n++ == 0) first = r;
        stated |= m->stated[r] >= 0;
    }
    const double *exact = overlap == CAIRN_OVERLAP_TREE ? find_pattern(m, pattern) : NULL;
    if (exact && sum_of(exact, k) > 0) {
        cairn_smooth_counts(out, smoothing, exact, k, NULL);
    } else if (n <= 1 || overlap == CAIRN_OVERLAP_FIRST) {
        cairn_rule_shares(out, m, first, overlap == CAIRN_OVERLAP_FIRST, smoothing);
    } else if (stated) {
        average_shares(out, sums, m, pattern, smoothing);
    } else {
        memset(sums, 0, k * sizeof *sums);
        for (size_t r = 0; (r = cairn_pattern_next(pattern, r, last)) < last; r++)
            for (size_t l = 0; l < k; l++) sums[l] += m->whole[r * k + l];
        for (size_t l = 0; overlap != CAIRN_OVERLAP_SUM && l < k; l++) sums[l] /= (double)n;
        if (sum_of(sums, k) > 0)
            cairn_smooth_counts(out, smoothing, sums, k, NULL);
        else
            average_shares(out, sums, m, pattern, smoothing);
    }
}

typedef struct prediction_run {
    const cairn_rules *m;
    const cairn_view *view;
    cairn_prediction *out;
    cairn_rule_overlap overlap;
    cairn_smoothing smoothing;
    cairn_matcher matcher;
    uint8_t **patterns; /* per worker: 64 x n_bytes */
    double **shares;    /* per worker: twice the classes */
} prediction_run;

/* The answer for a row: of a list by its first rule, of a set by all of the pattern. */
static void answer_row(const prediction_run *run, size_t i, size_t first, const uint8_t *pattern,
                       double *shares)
{
    const cairn_rules *m = run->m;
    size_t k = m->n_classes;
    int32_t label;
    if (m->ordered) {
        if (run->out->scores) cairn_rule_shares(shares, m, first, true, run->smoothing);
        label = m->labels[first];
    } else {
        cairn_pattern_shares(shares, shares + k, m, pattern, run->overlap, run->smoothing);
        label = (int32_t)largest(shares, k);
    }
    if (run->out->scores) memcpy(run->out->scores + i * k, shares, k * sizeof *shares);
    if (run->out->codes) run->out->codes[i] = label;
}

static void predict_words(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const prediction_run *run = data;
    const cairn_rules *m = run->m;
    uint8_t *patterns = run->patterns[worker];
    size_t firsts[BITS] = {0};
    (void)block;
    for (size_t w = begin; w < end; w++) {
        if (m->ordered)
            matcher_firsts(firsts, &run->matcher, w, worker);
        else
            matcher_patterns(patterns, &run->matcher, w, worker);
        for (size_t i = 0; i < BITS && w * BITS + i < run->out->n_rows; i++)
            answer_row(run, w * BITS + i, firsts[i], patterns + i * m->n_bytes,
                       run->shares[worker]);
    }
}

const cairn_output cairn_rules_outputs[] = {
    {"rule", "the rules that fire: of a list the one that answers, of a set all of them"},
    {"overlap", "none, one, agree or conflict: how many rules fire and whether their classes are "
                "the same"},
    {NULL, NULL},
};

static cairn_status put_word(cairn_context *ctx, cairn_column *column, size_t i, const char *word)
{
    size_t code;
    CHECK(cairn_map_add(ctx, &column->names, word, strlen(word), &code));
    column->codes[i] = (int32_t)code;
    return CAIRN_OK;
}

/* The cells of both columns for the rows of a word. */
static cairn_status name_word(cairn_context *ctx, const prediction_run *run, size_t word,
                              cairn_column *columns[2])
{
    const cairn_rules *m = run->m;
    size_t firsts[BITS] = {0};
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    bool chained = run->matcher.heads;
    if (!chained) matcher_patterns(run->patterns[0], &run->matcher, word, 0);
    if (m->ordered) matcher_firsts(firsts, &run->matcher, word, 0);
    for (size_t i = 0; i < BITS && word * BITS + i < run->out->n_rows; i++) {
        const uint8_t *pattern = run->patterns[0] + i * m->n_bytes;
        char short_name[CAIRN_RULE_NAME];
        name.length = 0;
        if (m->ordered) {
            cairn_rule_name(short_name, m, firsts[i]);
            cairn_text_add(&name, short_name);
        } else {
            cairn_pattern_add_name(&name, m, pattern);
        }
        CHECK(cairn_text_status(&name));
        CHECK(put_word(ctx, columns[0], word * BITS + i, cairn_text_string(&name)));
        const char *overlap = chained ? cairn_overlap_of_row(&run->matcher, word * BITS + i)
                                      : cairn_overlap_word(m, pattern);
        CHECK(put_word(ctx, columns[1], word * BITS + i, overlap));
    }
    return CAIRN_OK;
}

/* Rows with the same rules share one text, so each combination is written once and the columns
 * are levels. */
static cairn_status add_outputs(cairn_context *ctx, const prediction_run *run, size_t n_words)
{
    cairn_column *columns[2] = {NULL, NULL};
    cairn_status status;
    for (size_t c = 0; c < 2; c++)
        TRY(cairn_column_new(ctx, &columns[c], CAIRN_LEVEL, run->out->n_rows));
    for (size_t w = 0; w < n_words; w++) {
        TRY(cairn_tick(ctx, NULL, 0, 0));
        TRY(name_word(ctx, run, w, columns));
    }
    for (size_t c = 0; c < 2; c++) {
        cairn_column *given = columns[c];
        columns[c] = NULL;
        TRY(cairn_table_add_column(ctx, run->out->extra, cairn_rules_outputs[c].name, CAIRN_FEATURE,
                                   given));
    }
done:
    cairn_column_drop(columns[0]);
    cairn_column_drop(columns[1]);
    return status;
}

/* Predict; extra columns "rule" and "overlap". */
cairn_status cairn_rules_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                 const cairn_job *job)
{
    const cairn_rules *m = model;
    prediction_run run = {.m = m,
                          .view = job->view,
                          .out = out,
                          .overlap = cairn_rules_overlap(m, job),
                          .smoothing = cairn_rules_smoothing(job)};
    size_t workers = (size_t)cairn_workers(ctx), n_words = (out->n_rows + BITS - 1) / BITS;
    CHECK(SCRATCH_EACH(ctx, workers, &run.patterns, &run.shares));
    for (size_t w = 0; w < workers; w++) {
        CHECK(SCRATCH_RAW(ctx, &run.patterns[w], cairn_product(m->n_bytes, BITS)));
        CHECK(SCRATCH(ctx, &run.shares[w], 2 * m->n_classes));
    }
    CHECK(matcher_make(ctx, &run.matcher, m, job->view));
    CHECK(cairn_blocks_sized(ctx, n_words, BLOCK_WORDS, (double)out->n_rows * (double)m->n_rules,
                             predict_words, &run));
    out->codes_set = true;
    if (out->extra) CHECK(add_outputs(ctx, &run, n_words));
    return CAIRN_OK;
}

/* -- saving -- */

static cairn_status check_starts(cairn_archive *a, const int32_t *starts, size_t n, size_t end)
{
    bool good = starts[0] == 0 && starts[n] == (int32_t)end;
    for (size_t i = 0; i < n; i++) good &= starts[i] <= starts[i + 1];
    return good ? CAIRN_OK : cairn_archive_damaged(a, "parts of rules do not follow each other");
}

/* The last rule must have no condition: prediction relies on some rule being met. */
static cairn_status check_loaded(cairn_archive *a, const cairn_rules *m)
{
    CHECK(check_starts(a, m->starts, m->n_rules, m->n_literals));
    CHECK(check_starts(a, m->level_starts, m->n_literals, m->n_levels));
    for (size_t r = 0; r < m->n_rules; r++)
        if (m->labels[r] < 0 || (size_t)m->labels[r] >= m->n_classes || m->stated[r] < -1 ||
            m->stated[r] >= (int32_t)m->n_classes || (m->stated[r] >= 0 && m->n_classes < 2))
            CHECK(cairn_archive_damaged(a, "rule %zu answers a class that is not there", r + 1));
    if (m->starts[m->n_rules - 1] != m->starts[m->n_rules])
        CHECK(cairn_archive_damaged(a, "the last rule has conditions"));
    for (size_t i = 0; i < m->patterns.n; i++)
        if (m->patterns.lengths[i] != m->n_bytes)
            CHECK(cairn_archive_damaged(a, "a combination of rules has another size"));
    for (size_t l = 0; l < m->n_literals; l++) {
        size_t n = (size_t)(m->level_starts[l + 1] - m->level_starts[l]);
        if (m->columns[l] < 0 || (size_t)m->columns[l] >= m->n_columns || m->relations[l] < 0 ||
            m->relations[l] > CAIRN_IS_MISSING ||
            (!m->is_number[m->columns[l]] && m->relations[l] != CAIRN_IS_MISSING && n == 0))
            CHECK(cairn_archive_damaged(a, "condition %zu makes no sense", l + 1));
    }
    return CAIRN_OK;
}

cairn_status cairn_rules_archive(cairn_archive *a, void *model)
{
    enum { MOST = 1 << 28 };
    cairn_rules *m = model;
    size_t cells;
    CHECK(cairn_archive_bool(a, "ordered", &m->ordered));
    CHECK(cairn_archive_bool(a, "fallback", &m->fallback));
    CHECK(cairn_archive_size(a, "n_columns", &m->n_columns, MOST));
    CHECK(cairn_archive_size(a, "n_classes", &m->n_classes, MOST));
    CHECK(cairn_archive_size(a, "n_rules", &m->n_rules, MOST));
    CHECK(cairn_archive_size(a, "n_literals", &m->n_literals, MOST));
    CHECK(cairn_archive_size(a, "n_levels", &m->n_levels, MOST));
    CHECK(cairn_archive_int(a, "positive", &m->positive));
    if (m->n_rules == 0 || m->n_classes == 0)
        CHECK(cairn_archive_damaged(a, "there are no rules or no classes"));
    m->n_bytes = (m->n_rules + 7) / 8;
    cells = m->n_rules * m->n_classes;
    CHECK(cairn_archive_ints(a, "starts", &m->starts, m->n_rules + 1));
    CHECK(cairn_archive_ints(a, "labels", &m->labels, m->n_rules));
    CHECK(cairn_archive_ints(a, "stated", &m->stated, m->n_rules));
    CHECK(cairn_archive_reals(a, "probabilities", &m->probabilities, m->n_rules));
    CHECK(cairn_archive_ints(a, "columns", &m->columns, m->n_literals));
    CHECK(cairn_archive_ints(a, "relations", &m->relations, m->n_literals));
    CHECK(cairn_archive_reals(a, "numbers", &m->numbers, m->n_literals));
    CHECK(cairn_archive_ints(a, "level_starts", &m->level_starts, m->n_literals + 1));
    CHECK(cairn_archive_ints(a, "levels", &m->levels, m->n_levels));
    CHECK(cairn_archive_bytes(a, "is_number", &m->is_number, m->n_columns));
    CHECK(cairn_archive_reals(a, "segments", &m->segments, cells));
    CHECK(cairn_archive_reals(a, "whole", &m->whole, cells));
    CHECK(cairn_archive_map(a, "patterns", &m->patterns));
    CHECK(cairn_archive_reals(a, "pattern_counts", &m->pattern_counts,
                              cairn_product(m->patterns.n, m->n_classes)));
    if (cairn_archive_reading(a)) CHECK(check_loaded(a, m));
    return CAIRN_OK;
}

cairn_status cairn_rules_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_rules *m = model;
    CHECK(cairn_check_columns(a, job, m->n_columns));
    if (m->n_classes != job->n_classes)
        CHECK(cairn_archive_damaged(a, "the rules have other classes than the target"));
    if (m->positive != (m->n_classes == 2 ? job->positive : -1))
        CHECK(cairn_archive_damaged(a, "the rules have another positive class"));
    for (size_t c = 0, at = 0; c < m->n_columns; c++) {
        const cairn_field *field = cairn_schema_next_feature(job->schema, &at);
        if (!field || (field->kind != CAIRN_LEVEL) != (m->is_number[c] == 1))
            CHECK(cairn_archive_damaged(a, "column %zu of the rules is of another kind", c + 1));
    }
    return CAIRN_OK;
}

void cairn_rules_clear(void *model)
{
    cairn_rules *m = model;
    cairn_free(m->starts);
    cairn_free(m->labels);
    cairn_free(m->stated);
    cairn_free(m->probabilities);
    cairn_free(m->columns);
    cairn_free(m->relations);
    cairn_free(m->numbers);
    cairn_free(m->level_starts);
    cairn_free(m->levels);
    cairn_free(m->is_number);
    cairn_free(m->segments);
    cairn_free(m->whole);
    cairn_map_clear(&m->patterns);
    cairn_free(m->pattern_counts);
}

/* A condition is a column and a value, a rule its answer. */
cairn_model_size cairn_rules_size(const void *model)
{
    const cairn_rules *m = model;
    return (cairn_model_size){2 * (double)m->n_literals + (double)m->n_rules, true};
}

double cairn_rules_count(const void *model)
{
    return (double)((const cairn_rules *)model)->n_rules - 1;
}
