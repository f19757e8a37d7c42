/* SPDX-License-Identifier: MIT */
/* Rules as an operation: conditions, and the class shares of every rule as they are answered. */
#include "base/memory.h"
#include "learners/rules/rules.h"
#include <string.h>

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
