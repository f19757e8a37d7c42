/* SPDX-License-Identifier: MIT */
/* Building programs: operations, their tables, columns by name. */
#include "model/program.h"
#include "base/memory.h"
#include "model/model.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const cairn_op_form cairn_op_forms[CAIRN_OP_KINDS] = {
    [CAIRN_OP_CONSTANT] = {"constant", .numbers = {"values"}},
    [CAIRN_OP_FILL] = {"fill", .numbers = {"values"}},
    [CAIRN_OP_SCALE] = {"scale",
                        .numbers = {"parts", "centres", "spreads", "factors", "lows", "highs"}},
    [CAIRN_OP_AFFINE] = {"affine", .numbers = {"constants", "weights", "centres"}},
    [CAIRN_OP_PRODUCTS] = {"products", .codes = {"starts", "factors"}, .numbers = {"coefficients"}},
    [CAIRN_OP_COMPUTE] = {"compute", .sizes = {"instructions"}, .codes = {"instructions"},
                          .numbers = {"constants"}},
    [CAIRN_OP_CALENDAR] = {"calendar"},
    [CAIRN_OP_LOOKUP] = {"lookup", .sizes = {"levels"}, .numbers = {"table", "otherwise"}},
    [CAIRN_OP_CUTS] = {"cuts", .sizes = {"cuts", "exact"}, .codes = {"below"}, .numbers = {"at"}},
    [CAIRN_OP_TREES] = {"trees",
                        .sizes = {"trees", "values", "votes", "chooses", "regressors", "forest"},
                        .codes = {"roots", "nodes", "links", "labels", "usual", "surrogate_starts",
                                  "surrogates", "sets", "order", "linear", "regressors"},
                        .numbers = {"cuts", "parts", "values", "surrogate_cuts", "choice", "slopes",
                                    "centres"}},
    [CAIRN_OP_RULES] = {"rules", .sizes = {"rules", "classes", "mode", "patterns"},
                        .codes = {"starts", "conditions", "level_starts", "levels", "labels",
                                  "stated", "patterns"},
                        .numbers = {"numbers", "shares", "counts", "pattern_shares", "smoothing"}},
    [CAIRN_OP_NEAREST] = {"nearest", .sizes = {"centres", "last"}, .numbers = {"centres"}},
    [CAIRN_OP_NEIGHBOURS] = {"neighbours",
                             .sizes = {"rows", "neighbours", "classes", "distance", "weights",
                                       "window", "tie", "root"},
                             .codes = {"classes", "kinds"},
                             .numbers = {"places", "targets", "row_weights", "power_and_width",
                                         "factors"}},
    [CAIRN_OP_KERNELS] = {"kernels", .sizes = {"rows", "kernel", "degree", "absolute"},
                          .numbers = {"places", "coefficients", "constants", "parameters"}},
    [CAIRN_OP_NORMAL] = {"normal", .numbers = {"centres", "rates", "bases"}},
    [CAIRN_OP_GAUSSIANS] = {"gaussians", .sizes = {"covariances"},
                            .numbers = {"bases", "means", "covariances"}},
    [CAIRN_OP_KERNEL] = {"kernel", .sizes = {"kernel"}, .codes = {"starts"},
                         .numbers = {"values", "weights", "bandwidths", "totals", "floor"}},
    [CAIRN_OP_VOTES] = {"votes", .codes = {"plus", "minus", "present"}},
    [CAIRN_OP_COUNTS] = {"counts", .sizes = {"orders"}, .numbers = {"logs"}},
    [CAIRN_OP_SUM] = {"sum"},
    [CAIRN_OP_SOFTMAX] = {"softmax", .sizes = {"pinned"}, .codes = {"places"},
                          .numbers = {"otherwise"}},
    [CAIRN_OP_LOGISTIC] = {"logistic", .codes = {"places"}},
    [CAIRN_OP_CALIBRATE] = {"calibrate", .sizes = {"form", "pieces"},
                            .numbers = {"lows", "highs", "values", "curve"}},
    [CAIRN_OP_SHARES] = {"shares", .numbers = {"otherwise"}},
    [CAIRN_OP_DECIDE] = {"decide", .sizes = {"by_threshold", "positive"},
                         .numbers = {"costs", "threshold_and_reject"}},
    [CAIRN_OP_LARGEST] = {"largest", .sizes = {"known"}},
    [CAIRN_OP_BLANK] = {"blank", .sizes = {"looked_at"}, .numbers = {"instead"}},
};

const char *const cairn_formula_functions[] = {
    "abs",     "sign", "sqrt", "square", "cbrt",  "exp",  "expm1", "log",  "log2", "log10",
    "log1p",   "sin",  "cos",  "tan",    "asin",  "acos", "atan",  "sinh", "cosh", "tanh",
    "sigmoid", "relu", "erf",  "lgamma", "floor", "ceil", "trunc", NULL,
};

/* -- memory -- */

static void clear_op(cairn_operation *op)
{
    cairn_free(op->in);
    for (size_t i = 0; i < CAIRN_OP_CODES; i++) cairn_free(op->codes[i]);
    for (size_t i = 0; i < CAIRN_OP_NUMBERS; i++) cairn_free(op->numbers[i]);
    cairn_free(op);
}

void cairn_program_clear(cairn_program *p)
{
    for (size_t i = 0; i < p->n_ops; i++) clear_op(p->ops[i]);
    cairn_free(p->ops);
    cairn_schema_clear(&p->raw);
    cairn_schema_clear(&p->inputs);
    cairn_schema_clear(&p->now);
    cairn_free(p->slots);
    cairn_map_clear(&p->made);
    cairn_free(p->made_slots);
    *p = (cairn_program){0};
}

/* Slots and lengths of tables are whole numbers of 32 bits in what is written. */
static cairn_status check_size(cairn_program *p, size_t n)
{
    if (n < (size_t)INT32_MAX - p->n_slots) return CAIRN_OK;
    return cairn_program_refuse(p, "it is too large to be written down");
}

cairn_status cairn_program_add(cairn_program *p, cairn_op_kind kind, const int32_t *in, size_t n_in,
                               size_t n_out, cairn_operation **out)
{
    cairn_operation *op = NULL;
    cairn_status status;
    TRY(cairn_tick(p->ctx, NULL, 0, 0));
    TRY(check_size(p, n_in + n_out));
    TRY(GROW(p->ctx, &p->ops, &p->ops_capacity, p->n_ops + 1));
    TRY(NEW(p->ctx, &op, 1));
    TRY(NEW(p->ctx, &op->in, n_in));
    if (n_in) memcpy(op->in, in, n_in * sizeof *in);
    op->kind = kind;
    op->n_in = n_in;
    op->n_out = n_out;
    op->out = (int32_t)p->n_slots;
    p->n_slots += n_out;
    p->ops[p->n_ops++] = op;
    *out = op;
    return CAIRN_OK;
done:
    if (op) clear_op(op);
    return status;
}

cairn_status cairn_op_codes(cairn_program *p, cairn_operation *op, size_t at, size_t n,
                            int32_t **out)
{
    CHECK(check_size(p, n));
    CHECK(NEW(p->ctx, &op->codes[at], n));
    op->n_codes[at] = n;
    *out = op->codes[at];
    return CAIRN_OK;
}

cairn_status cairn_op_numbers(cairn_program *p, cairn_operation *op, size_t at, size_t n,
                              double **out)
{
    CHECK(check_size(p, n));
    CHECK(NEW(p->ctx, &op->numbers[at], n));
    op->n_numbers[at] = n;
    *out = op->numbers[at];
    return CAIRN_OK;
}

cairn_status cairn_op_copy_codes(cairn_program *p, cairn_operation *op, size_t at,
                                 const int32_t *codes, size_t n)
{
    int32_t *to;
    CHECK(cairn_op_codes(p, op, at, n, &to));
    if (n) memcpy(to, codes, n * sizeof *to);
    return CAIRN_OK;
}

cairn_status cairn_op_copy_numbers(cairn_program *p, cairn_operation *op, size_t at,
                                   const double *numbers, size_t n)
{
    double *to;
    CHECK(cairn_op_numbers(p, op, at, n, &to));
    if (n) memcpy(to, numbers, n * sizeof *to);
    return CAIRN_OK;
}

void cairn_op_work(cairn_program *p, cairn_operation *op, size_t n)
{
    op->work = (int32_t)p->n_slots;
    op->n_work = (int32_t)n;
    p->n_slots += n;
}

/* -- columns -- */

static cairn_status refuse_column(cairn_program *p, const cairn_field *field)
{
    return cairn_program_refuse(p, "column '%s' is a %s, which it cannot read in a program",
                                field->name, cairn_kind_name((cairn_kind)field->kind));
}

cairn_status cairn_program_features(cairn_program *p, int32_t **out, size_t *n)
{
    *n = 0;
    CHECK(SCRATCH(p->ctx, out, p->now.n_fields + 1));
    for (size_t i = 0; i < p->now.n_fields; i++) {
        if (p->now.fields[i].role != CAIRN_FEATURE) continue;
        if (p->slots[i] < 0 || p->now.fields[i].kind == CAIRN_BAG)
            return refuse_column(p, &p->now.fields[i]);
        (*out)[(*n)++] = p->slots[i];
    }
    return CAIRN_OK;
}

cairn_status cairn_program_terms(cairn_program *p, int32_t **out, size_t *n)
{
    size_t most = 0;
    for (size_t i = 0; i < p->now.n_fields; i++) most += p->now.fields[i].names.n + 1;
    CHECK(SCRATCH(p->ctx, out, most + 1));
    *n = 0;
    for (int bags = 0; bags < 2; bags++)
        for (size_t i = 0; i < p->now.n_fields; i++) {
            const cairn_field *field = &p->now.fields[i];
            bool bag = field->kind == CAIRN_BAG;
            if (field->role != CAIRN_FEATURE || bag != bags) continue;
            if (p->slots[i] < 0) return refuse_column(p, field);
            for (size_t k = 0; k < (bag ? field->names.n : 1); k++)
                (*out)[(*n)++] = p->slots[i] + (int32_t)k;
        }
    return CAIRN_OK;
}

cairn_status cairn_program_column(cairn_program *p, const char *name, int32_t *out)
{
    for (size_t i = 0; i < p->now.n_fields; i++)
        if (strcmp(p->now.fields[i].name, name) == 0 && p->slots[i] >= 0) {
            *out = p->slots[i];
            return CAIRN_OK;
        }
    return cairn_program_refuse(p, "a program cannot read its column '%s'", name);
}

cairn_status cairn_program_columns(cairn_program *p, const cairn_map *names, int32_t **out)
{
    CHECK(SCRATCH(p->ctx, out, names->n + 1));
    for (size_t i = 0; i < names->n; i++)
        CHECK(cairn_program_column(p, cairn_map_key(names, i), &(*out)[i]));
    return CAIRN_OK;
}

cairn_status cairn_program_put(cairn_program *p, const char *name, int32_t slot)
{
    size_t at;
    CHECK(cairn_map_add(p->ctx, &p->made, name, strlen(name), &at));
    CHECK(GROW(p->ctx, &p->made_slots, &p->made_capacity, at + 1));
    p->made_slots[at] = slot;
    return CAIRN_OK;
}

void cairn_program_put_new(cairn_program *p, int32_t first, size_t n)
{
    p->fresh = first;
    p->n_fresh = n;
}

cairn_status cairn_program_put_all(cairn_program *p, const cairn_map *names, int32_t first)
{
    for (size_t i = 0; i < names->n; i++)
        CHECK(cairn_program_put(p, cairn_map_key(names, i), first + (int32_t)i));
    return CAIRN_OK;
}

cairn_status cairn_program_refuse(cairn_program *p, const char *format, ...)
{
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return cairn_fail(p->ctx, CAIRN_USAGE, "%s cannot be written as a program: %s",
                      p->part ? p->part : "the model", message);
}

/* -- common operations -- */

cairn_status cairn_lower_constants(cairn_program *p, const double *numbers, size_t n, int32_t *out)
{
    cairn_operation *op;
    CHECK(cairn_program_add(p, CAIRN_OP_CONSTANT, NULL, 0, n, &op));
    *out = op->out;
    return cairn_op_copy_numbers(p, op, 0, numbers, n);
}

cairn_status cairn_lower_affine(cairn_program *p, const int32_t *in, size_t n_in, size_t n_out,
                                const double *constants, const double *weights,
                                const double *centres, int32_t *out)
{
    cairn_operation *op;
    CHECK(cairn_program_add(p, CAIRN_OP_AFFINE, in, n_in, n_out, &op));
    CHECK(cairn_op_copy_numbers(p, op, 0, constants, n_out));
    CHECK(cairn_op_copy_numbers(p, op, 1, weights, cairn_product(n_in, n_out)));
    if (centres) CHECK(cairn_op_copy_numbers(p, op, 2, centres, n_in));
    *out = op->out;
    return CAIRN_OK;
}

cairn_status cairn_lower_linear(cairn_program *p, double constant, const double *weights,
                                const double *centres)
{
    int32_t *in;
    size_t n;
    CHECK(cairn_program_terms(p, &in, &n));
    return cairn_lower_affine(p, in, n, 1, &constant, weights, centres, &p->answer.number);
}

cairn_status cairn_lower_lookup(cairn_program *p, int32_t in, size_t n, size_t n_out,
                                const double *table, const double *otherwise, int32_t *out)
{
    cairn_operation *op;
    CHECK(cairn_program_add(p, CAIRN_OP_LOOKUP, &in, 1, n_out, &op));
    op->sizes[0] = (int32_t)n;
    CHECK(cairn_op_copy_numbers(p, op, 0, table, cairn_product(n, n_out)));
    CHECK(cairn_op_copy_numbers(p, op, 1, otherwise, n_out));
    *out = op->out;
    return CAIRN_OK;
}

cairn_status cairn_lower_sum(cairn_program *p, const int32_t *firsts, size_t n_vectors, size_t n,
                             int32_t *out)
{
    cairn_operation *op;
    int32_t *in;
    CHECK(SCRATCH(p->ctx, &in, cairn_product(n_vectors, n) + 1));
    for (size_t v = 0; v < n_vectors; v++)
        for (size_t k = 0; k < n; k++) in[v * n + k] = firsts[v] + (int32_t)k;
    CHECK(cairn_program_add(p, CAIRN_OP_SUM, in, n_vectors * n, n, &op));
    *out = op->out;
    return CAIRN_OK;
}

cairn_status cairn_lower_largest(cairn_program *p, int32_t first, size_t n, int32_t *out)
{
    cairn_operation *op;
    int32_t *in;
    CHECK(SCRATCH(p->ctx, &in, n + 1));
    for (size_t k = 0; k < n; k++) in[k] = first + (int32_t)k;
    CHECK(cairn_program_add(p, CAIRN_OP_LARGEST, in, n, 1, &op));
    *out = op->out;
    return CAIRN_OK;
}

cairn_status cairn_lower_levels(const void *state, const cairn_job *job, cairn_program *out)
{
    (void)state, (void)job, (void)out;
    return CAIRN_OK;
}
