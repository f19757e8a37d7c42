/* SPDX-License-Identifier: MIT */
/* Data and settings with which any registered learner can be put to the test. */
#ifndef CAIRN_TESTS_CONTRACT_H
#define CAIRN_TESTS_CONTRACT_H

#include "support/unit.h"
#include "model/model.h"

/* A table that the learner can learn from: two number features, one level feature, one constant
 * column, and a target for `task`. `weighted` adds a column of whole weights. Missing cells are
 * sprinkled in when `missing`. Row i depends on i only. */
typedef struct contract_data {
    size_t n_rows;
    cairn_task task;
    bool weighted;
    bool missing;
    bool repeated; /* each row as often as its weight says, and no weight column */
    bool reversed; /* rows in reverse order */
} contract_data;

cairn_table *contract_table(cairn_context *ctx, contract_data data);

/* Settings with required parameters filled in. */
cairn_params *contract_params(cairn_context *ctx, const cairn_learner *learner);

/* Learner number i of the registry, NULL at the end. */
const cairn_learner *contract_learner(size_t i);

/* Each task of the learner in turn: the first, then the next after `task`; 0 at the end. */
cairn_task contract_next_task(cairn_context *ctx, const cairn_learner *learner, cairn_task task);

cairn_status contract_fit(cairn_context *ctx, cairn_model **out, const cairn_learner *learner,
                          const cairn_table *table, cairn_task task, cairn_report *steps);

#endif
