/* SPDX-License-Identifier: MIT */
/* Reading a sum off a program: from the slots of the answer back to the columns. */
#include "explain/additive.h"
#include "base/memory.h"
#include "learners/tree/tree_lower.h"
#include <string.h>

typedef struct reading {
    cairn_context *ctx;
    cairn_additive *out;
    size_t output; /* the one whose slot is followed */
} reading;

static cairn_status refuse(reading *r, const char *why)
{
    char *copy;
    size_t n = strlen(why) + 1;
    CHECK(SCRATCH(r->ctx, &copy, n));
    memcpy(copy, why, n);
    if (!r->out->refused) r->out->refused = copy;
    return CAIRN_OK;
}

/* -- slots -- */

/* The operation that writes a slot; NULL = a column of the data. */
static const cairn_operation *writer(const cairn_program *p, int32_t slot)
{
    for (size_t i = p->n_ops; i-- > 0;) {
        const cairn_operation *op = p->ops[i];
        if (slot >= op->out && (size_t)(slot - op->out) < op->n_out) return op;
    }
    return NULL;
}

/* The place of an operation of trees in the list, where it is put at its first use. */
static cairn_additive_trees *place_trees(cairn_additive *a, const cairn_operation *op)
{
    for (size_t i = 0; i < a->n_trees; i++)
        if (a->trees[i].op == op) return &a->trees[i];
    a->trees[a->n_trees].op = op;
    return &a->trees[a->n_trees++];
}

/* A value of the leaves counts for the output; lines in leaves are no constants. */
static cairn_status follow_trees(reading *r, const cairn_operation *op, int32_t slot, double factor)
{
    size_t width = (size_t)op->sizes[CAIRN_TREES_WIDTH], at = (size_t)(slot - op->out);
    if (op->codes[CAIRN_TREES_LINEAR])
        return refuse(r, "the leaves of the tree hold linear models");
    if (at >= width) return refuse(r, "it answers without scores");
    for (size_t j = 0; j < op->n_in; j++)
        if (op->in[j] != (int32_t)j) return refuse(r, "its trees test what others made of columns");
    cairn_additive_trees *trees = place_trees(r->out, op);
    if (!trees->factors)
        CHECK(SCRATCH(r->ctx, &trees->factors, cairn_product(r->out->n_outputs, width) + 1));
    if (op->sizes[CAIRN_TREES_FOREST]) factor /= op->sizes[CAIRN_TREES_N];
    trees->factors[r->output * width + at] += factor;
    return CAIRN_OK;
}

/* Adds factor times what a slot holds to the output at hand. */
static cairn_status follow(reading *r, int32_t slot, double factor)
{
    cairn_additive *a = r->out;
    const cairn_operation *op = writer(&a->program, slot);
    if (a->refused || factor == 0) return CAIRN_OK;
    if (!op) {
        a->weights[r->output * a->n_columns + (size_t)slot] += factor;
        a->weighs = true;
        return CAIRN_OK;
    }
    size_t at = (size_t)(slot - op->out);
    switch (op->kind) {
    case CAIRN_OP_CONSTANT: a->constants[r->output] += factor * op->numbers[0][at]; break;
    case CAIRN_OP_SUM:
        for (size_t j = at; j < op->n_in; j += op->n_out) CHECK(follow(r, op->in[j], factor));
        break;
    case CAIRN_OP_AFFINE:
        a->constants[r->output] += factor * op->numbers[0][at];
        for (size_t j = 0; j < op->n_in; j++) {
            double weight = factor * op->numbers[1][at * op->n_in + j];
            if (op->numbers[2]) a->constants[r->output] -= weight * op->numbers[2][j];
            CHECK(follow(r, op->in[j], weight));
        }
        break;
    case CAIRN_OP_TREES: return follow_trees(r, op, slot, factor);
    default: return refuse(r, "its answer is no sum over trees or columns");
    }
    return CAIRN_OK;
}

/* -- answers -- */

/* Whether an operation is exp of its first input and nothing else. */
static bool is_exp(const cairn_operation *op)
{
    const int32_t *codes = op->codes[0];
    if (op->kind != CAIRN_OP_COMPUTE || op->n_codes[0] != 6 || op->n_in != 1) return false;
    int32_t function = codes[2] - CAIRN_DO_ONE;
    return codes[0] == CAIRN_DO_SLOT && function >= 0 &&
           strcmp(cairn_formula_functions[function], "exp") == 0 && codes[4] == CAIRN_DO_WRITE;
}

static void take_off_mean(double *values, size_t n, size_t step)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += values[k * step];
    for (size_t k = 0; k < n; k++) values[k * step] -= sum / (double)n;
}

/* Where they are for classes: before shares are made of them, where that is done. */
static cairn_status class_sums(reading *r, int32_t first)
{
    cairn_additive *a = r->out;
    const cairn_operation *op = writer(&a->program, first);
    bool odds = op && op->kind == CAIRN_OP_LOGISTIC, softmax = op && op->kind == CAIRN_OP_SOFTMAX;
    bool pinned = softmax && op->sizes[0];
    a->scale = odds ? CAIRN_SUM_LOG_ODDS : softmax ? CAIRN_SUM_SOFTMAX : CAIRN_SUM_SCORE;
    if (odds) a->n_outputs = 1;
    if (softmax) a->n_outputs = op->n_in + pinned;
    for (r->output = 0; r->output < a->n_outputs; r->output++) {
        size_t k = r->output;
        a->classes[k] = odds || softmax ? op->codes[0][k] : (int32_t)k;
        if (softmax && k == op->n_in) continue;
        CHECK(follow(r, odds || softmax ? op->in[k] : first + (int32_t)k, 1));
    }
    if (pinned) {
        /* Of a softmax whose last class has the score 0 whatever the row: scores about their
         * mean, which are the same shares, so that this class has reasons, too. */
        size_t n = a->n_outputs, d = a->n_columns;
        take_off_mean(a->constants, n, 1);
        for (size_t j = 0; j < d; j++) take_off_mean(a->weights + j, n, d);
        for (size_t t = 0; t < a->n_trees; t++) {
            size_t width = (size_t)a->trees[t].op->sizes[CAIRN_TREES_WIDTH];
            for (size_t j = 0; j < width; j++) take_off_mean(a->trees[t].factors + j, n, width);
        }
    }
    return CAIRN_OK;
}

/* -- models -- */

/* The learner alone as operations on the columns that it sees: the items of bags, each a number,
 * come behind all others. */
static cairn_status lower_learner(reading *r, const cairn_model *model)
{
    cairn_program *p = &r->out->program;
    size_t n = 0;
    *p = (cairn_program){.ctx = r->ctx, .part = model->learner->entry.name, .now = model->inner};
    p->answer = (cairn_program_answer){-1, -1, -1, model->n_classes};
    CHECK(NEW(r->ctx, &p->slots, p->now.n_fields + 1));
    for (size_t i = 0; i < p->now.n_fields; i++) p->slots[i] = -1;
    for (int bags = 0; bags < 2; bags++)
        for (size_t i = 0; i < p->now.n_fields; i++) {
            const cairn_field *field = &p->now.fields[i];
            bool bag = field->kind == CAIRN_BAG, read = bag || field->kind == CAIRN_NUMBER ||
                                                        field->kind == CAIRN_LEVEL ||
                                                        field->kind == CAIRN_TIME;
            if (field->role != CAIRN_FEATURE || bag != bags) continue;
            if (read) p->slots[i] = (int32_t)n;
            n += bag ? field->names.n : 1;
        }
    p->n_slots = r->out->n_columns = n;
    cairn_job job = cairn_model_job(model);
    return model->learner->lower(model->state, &job, p);
}

/* Room for as many outputs as there can be. */
static cairn_status make_arrays(reading *r, size_t n_outputs)
{
    cairn_additive *a = r->out;
    a->n_outputs = n_outputs;
    CHECK(SCRATCH_EACH(r->ctx, n_outputs + 1, &a->classes, &a->constants));
    CHECK(SCRATCH(r->ctx, &a->trees, a->program.n_ops + 1));
    return SCRATCH(r->ctx, &a->weights, cairn_product(n_outputs, a->n_columns) + 1);
}

cairn_status cairn_additive_of(cairn_context *ctx, cairn_additive *out, const cairn_model *model)
{
    reading r = {.ctx = ctx, .out = out};
    *out = (cairn_additive){0};
    if (!model->learner || !model->learner->lower)
        return refuse(&r, "it cannot be written as operations");
    cairn_status status = lower_learner(&r, model);
    if (status == CAIRN_USAGE) return refuse(&r, cairn_message(ctx));
    CHECK(status);
    const cairn_program_answer *answer = &out->program.answer;
    CHECK(make_arrays(&r, model->n_classes ? model->n_classes : 1));
    if (model->task == CAIRN_REGRESS && answer->number >= 0) {
        /* Where the sums are, for a number. */
        int32_t slot = answer->number;
        cairn_additive *a = r.out;
        const cairn_operation *op = writer(&a->program, slot);
        a->scale = op && is_exp(op) ? CAIRN_SUM_LOGARITHM : CAIRN_SUM_NUMBER;
        a->classes[0] = -1;
        a->n_outputs = 1;
        return follow(&r, a->scale == CAIRN_SUM_LOGARITHM ? op->in[0] : slot, 1);
    }
    if (model->task == CAIRN_CLASSIFY && answer->scores >= 0) return class_sums(&r, answer->scores);
    return refuse(&r, "it answers without scores");
}

void cairn_additive_clear(cairn_additive *additive)
{
    additive->program.now = (cairn_schema){0}; /* the model's */
    cairn_program_clear(&additive->program);
    *additive = (cairn_additive){0};
}
