/* SPDX-License-Identifier: MIT */
/* Pieces of tables that learners share: see learned.h. */
#include "model/chain.h"
#include "model/learned.h"

#include <stdio.h>

/* Whether the cells of a feature are levels in the table. */
static bool is_level(const cairn_field *field, bool levels)
{
    return levels && field && field->kind == CAIRN_LEVEL;
}

void cairn_learned_features(cairn_ledger *out, const cairn_job *job, size_t n, bool levels)
{
    size_t at = 0;
    for (size_t j = 0; j < n; j++) {
        const cairn_field *field = cairn_schema_next_feature(job->schema, &at);
        cairn_ledger_column(out, is_level(field, levels) ? CAIRN_LEVEL : CAIRN_NUMBER,
                            field ? field->name : "?");
    }
}

void cairn_learned_place(cairn_ledger *out, const cairn_job *job, const double *values, size_t n,
                         bool levels)
{
    size_t at = 0;
    for (size_t j = 0; j < n; j++) {
        const cairn_field *field = cairn_schema_next_feature(job->schema, &at);
        double x = values[j];
        if (is_level(field, levels)) {
            bool known = x >= 0 && x < (double)field->names.n;
            cairn_ledger_word(out, known ? cairn_map_key(&field->names, (size_t)x) : NULL);
            continue;
        }
        if (field && job->described) (void)cairn_chain_restore(job->described, field->name, &x);
        cairn_ledger_number(out, x);
    }
}

void cairn_learned_numbered(cairn_ledger *out, const char *name, size_t n)
{
    char numbered[64];
    for (size_t j = 0; j < n; j++) {
        snprintf(numbered, sizeof numbered, "%s%zu", name, j + 1);
        cairn_ledger_column(out, CAIRN_NUMBER, numbered);
    }
}

const char *cairn_learned_class(const cairn_job *job, int64_t class)
{
    const cairn_field *target = cairn_schema_target(job->schema);
    bool known = target && class >= 0 && (size_t) class < target->names.n;
    return known ? cairn_map_key(&target->names, (size_t) class) : NULL;
}
