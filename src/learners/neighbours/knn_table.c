/* SPDX-License-Identifier: MIT */
/* The rows that nearest neighbours keep, as a table. */
#include "learners/neighbours/knn.h"
#include "model/learned.h"
#include <math.h>

/* Whether the places of the rows are the numbers of their columns, which have names. */
static bool has_places(const cairn_knn_model *m)
{
    return !m->given && m->points.places && m->points.width == m->n_columns && m->metric.distance &&
           !m->metric.distance->place && !m->points.n_texts && !m->points.n_items;
}

static void write_rows(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_knn_model *m = model;
    bool places = has_places(m);
    cairn_ledger_columns(out, "nlnn", "row", "class", "target", "weight");
    if (places) cairn_learned_features(out, job, m->n_columns, false);
    for (size_t i = 0; i < m->n; i++) {
        cairn_ledger_number(out, (double)m->numbers[i] + 1);
        cairn_ledger_word(out, m->codes ? cairn_learned_class(job, m->codes[i]) : NULL);
        cairn_ledger_number(out, m->targets ? m->targets[i] : NAN);
        cairn_ledger_number(out, m->weights ? m->weights[i] : 1);
        if (places)
            cairn_learned_place(out, job, m->points.places + i * m->n_columns, m->n_columns, false);
    }
}

const cairn_learned cairn_knn_tables[] = {
    CAIRN_LEARNED("rows", "row that it keeps: its number in the table that it was fitted to",
                  write_rows),
    CAIRN_LEARNED_END};
