/* SPDX-License-Identifier: MIT */
/* Rules as tables: the rules, and their conditions one by one. */
#include "learners/rules/rules.h"
#include "model/learned.h"
#include <math.h>

static void write_rules(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_rules *m = model;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(out->ctx);
    cairn_ledger_columns(out, "ntnlln", "rule", "if", "conditions", "then", "stated",
                         "probability");
    for (size_t l = 0; l < m->n_classes; l++) {
        text.length = 0;
        cairn_text_addf(&text, "rows(%s)", cairn_learned_class(job, (int64_t)l));
        cairn_ledger_column(out, CAIRN_NUMBER, cairn_text_string(&text));
    }
    for (size_t r = 0; r < m->n_rules; r++) {
        text.length = 0;
        cairn_rule_add_body(&text, m, r, job->schema);
        cairn_ledger_cells(out, (double)r + 1, cairn_text_string(&text),
                           m->starts[r + 1] - m->starts[r], cairn_learned_class(job, m->labels[r]),
                           cairn_learned_class(job, m->stated ? m->stated[r] : -1),
                           m->stated && m->stated[r] >= 0 ? m->probabilities[r] : NAN);
        const double *rows = m->ordered ? m->segments : m->whole;
        for (size_t l = 0; l < m->n_classes; l++)
            cairn_ledger_number(out, rows ? rows[r * m->n_classes + l] : NAN);
    }
    cairn_ledger_failed(out, cairn_text_status(&text));
}

/* The levels of a condition, as a line of a CSV file. */
static void add_levels(cairn_text *text, const cairn_rules *m, size_t literal,
                       const cairn_field *field)
{
    for (int32_t i = m->level_starts[literal]; i < m->level_starts[literal + 1]; i++) {
        size_t level = (size_t)m->levels[i];
        if (text->length) cairn_text_add_char(text, ',');
        cairn_text_add_csv(text,
                           level < field->names.n ? cairn_map_key(&field->names, level) : "?");
    }
}

static void write_conditions(cairn_ledger *out, const void *model, const cairn_job *job)
{
    static const char *const signs[] = {"=", "!=", "<", "<=", ">", ">=", "missing"};
    const cairn_rules *m = model;
    SCOPED(cairn_text_clear) cairn_text levels = cairn_text_start(out->ctx);
    cairn_ledger_columns(out, "nllnt", "rule", "column", "sign", "number", "levels");
    for (size_t r = 0; r < m->n_rules; r++)
        for (size_t i = (size_t)m->starts[r]; i < (size_t)m->starts[r + 1]; i++) {
            const cairn_field *field = cairn_schema_feature(job->schema, (size_t)m->columns[i]);
            bool number = field && field->kind != CAIRN_LEVEL;
            levels.length = 0;
            if (field && !number) add_levels(&levels, m, i, field);
            cairn_ledger_cells(out, (double)r + 1, field ? field->name : NULL,
                               signs[m->relations[i]],
                               number && m->relations[i] != CAIRN_IS_MISSING ? m->numbers[i] : NAN,
                               levels.length ? cairn_text_string(&levels) : NULL);
        }
    cairn_ledger_failed(out, cairn_text_status(&levels));
}

const cairn_learned cairn_rules_tables[] = {
    CAIRN_LEARNED("rules", "rule: its conditions, its class, and the rows that it answers",
                  write_rules),
    CAIRN_LEARNED("conditions", "condition of a rule", write_conditions), CAIRN_LEARNED_END};
