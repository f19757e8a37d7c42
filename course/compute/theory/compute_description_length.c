/* SPDX-License-Identifier: MIT */
/* cairn compute description-length: the bits of a model and of what it leaves to say about the
 * rows,
 *
 *     L(m) + L(D | m)
 *
 * The code is one that every model has. A model of k learned numbers (those of its run card, and
 * the cut points that its chain found) takes ½ log2 n bits for each, the precision to which n rows
 * tell it. The codes of the rows are in description_codes.c. */
#include "compute/theory/description_codes.h"
#include "model/calculator.h"

#include "base/memory.h"
#include "entry/split.h"

#include <math.h>
#include <string.h>

enum { CODE_EXCEPTIONS, CODE_PROBABILITIES, MOST_MODELS = 50, MOST_LINKS = 16 };

typedef struct length_params {
    const char *learners, *models;
    int code;
    double number_bits, precision;
} length_params;

static const cairn_choice codes[] = {
    {"exceptions", CODE_EXCEPTIONS, "which rows the model gets wrong, and their classes"},
    {"probabilities", CODE_PROBABILITIES, "every class by the probability that the model gives"},
    {0},
};

static const cairn_param length_table[] = {
    CAIRN_PARAM(length_params, learners, NULL, NULL,
                "learners that are fitted to DATA and compared, separated by ; and each with its "
                "transforms before it, such as majority;tree:max-depth=2;discretise>bayes",
                .often = true),
    CAIRN_PARAM(length_params, models, NULL, NULL,
                "files of further saved models, separated by commas"),
    CAIRN_PARAM_CHOICE(length_params, code, "exceptions", codes, "how classes are sent",
                       .often = true),
    CAIRN_PARAM(length_params, number_bits, CAIRN_NOT_GIVEN, "[0,1024]",
                "bits of a learned number; half the binary logarithm of the rows if not given"),
    CAIRN_PARAM(length_params, precision, CAIRN_NOT_GIVEN, "(0,inf)",
                "to which numbers are sent; the least difference of a column if not given"),
    CAIRN_PARAM_END,
};

typedef struct length {
    const char *name;
    double numbers, cuts, model_bits; /* learned numbers; of these cut points */
    cairn_data_length data;
} length;

typedef struct lengths {
    const length_params *p;
    cairn_length_code code;
    length *list;
    size_t n;
} lengths;

/* -- a model -- */

/* Numbers of which a transform made levels: between n of them lie n − 1 cut points. */
static double count_cuts(const cairn_model *model)
{
    double cuts = 0;
    for (size_t i = 0; i < model->schema.n_fields; i++) {
        const cairn_field *raw = &model->schema.fields[i];
        if (raw->role != CAIRN_FEATURE || raw->kind != CAIRN_NUMBER) continue;
        for (size_t j = 0; j < model->inner.n_fields; j++) {
            const cairn_field *seen = &model->inner.fields[j];
            if (seen->kind == CAIRN_LEVEL && seen->names.n && strcmp(seen->name, raw->name) == 0)
                cuts += (double)(seen->names.n - 1);
        }
    }
    return cuts;
}

/* Lengths are compared of the same data only. */
static cairn_status check_same(cairn_context *ctx, const lengths *w)
{
    const length *first = &w->list[0], *last = &w->list[w->n];
    if (last->data.sent == first->data.sent) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "%s and %s do not send the same: one of them sends a target, the other whole "
                      "rows; compare them apart",
                      first->name, last->name);
}

static cairn_status measure_model(cairn_context *ctx, lengths *w, const char *name,
                                  const cairn_model *model, const cairn_compute_job *job)
{
    length *out = &w->list[w->n];
    *out = (length){.name = name};
    if (w->n >= MOST_MODELS)
        return cairn_fail(ctx, CAIRN_USAGE, "at most %d models are compared", MOST_MODELS);
    if (!cairn_has_data_length(model))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s has no description length: it predicts neither classes nor numbers "
                          "and has no density, or does not count what it learned",
                          name);
    CHECK(cairn_data_length_of(ctx, &out->data, &w->code, model, name, job->table));
    CHECK(check_same(ctx, w));
    out->cuts = count_cuts(model);
    out->numbers = cairn_model_size_of(model).parameters + out->cuts;
    out->model_bits = out->numbers * out->data.number_bits;
    w->n++;
    return CAIRN_OK;
}

/* -- reading -- */

/* The text up to `end` without the blanks around it; scratch. */
static cairn_status take_part(cairn_context *ctx, char **out, const char *at, const char *end)
{
    while (at < end && *at == ' ') at++;
    while (end > at && end[-1] == ' ') end--;
    CHECK(SCRATCH(ctx, out, (size_t)(end - at) + 1));
    memcpy(*out, at, (size_t)(end - at));
    return CAIRN_OK;
}

/* "discretise>bayes": all but the last are transforms. */
static cairn_status fit_and_measure(cairn_context *ctx, lengths *w, const char *chain,
                                    const cairn_compute_job *job)
{
    OWNED(cairn_params_free) cairn_params *params = NULL;
    OWNED(cairn_model_free) cairn_model *model = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    const char *with[MOST_LINKS + 1] = {0}, *at = chain, *end;
    char *spec;
    size_t n = 0;
    for (; *(end = cairn_split_next(at, '>')); at = end + 1) {
        if (n == MOST_LINKS)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{learners}: at most %d transforms before a learner", MOST_LINKS);
        CHECK(take_part(ctx, &spec, at, end));
        with[n++] = spec;
    }
    CHECK(take_part(ctx, &spec, at, end));
    options.with = with;
    CHECK(cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_LEARNER, spec));
    CHECK(cairn_params_check(ctx, params));
    CHECK(cairn_model_fit(ctx, &model, params, job->table, &options));
    return measure_model(ctx, w, chain, model, job);
}

static cairn_status measure_files(cairn_context *ctx, lengths *w, const cairn_compute_job *job)
{
    char **paths;
    size_t n;
    CHECK(cairn_list_split(ctx, w->p->models, &paths, &n));
    for (size_t i = 0; i < n; i++) {
        OWNED(cairn_model_free) cairn_model *model = NULL;
        CHECK(cairn_model_load(ctx, &model, paths[i]));
        CHECK(measure_model(ctx, w, paths[i], model, job));
    }
    return CAIRN_OK;
}

/* The model that was named, those of files, then the learners. */
static cairn_status measure_all(cairn_context *ctx, lengths *w, const cairn_compute_job *job)
{
    const char *at = w->p->learners ? w->p->learners : "", *end;
    char *chain;
    CHECK(SCRATCH(ctx, &w->list, MOST_MODELS + 1));
    if (job->model)
        CHECK(measure_model(ctx, w, job->model->learner ? job->model->learner->entry.name : "model",
                            job->model, job));
    if (w->p->models) CHECK(measure_files(ctx, w, job));
    for (; *at; at = *end ? end + 1 : end) {
        end = cairn_split_next(at, ';');
        CHECK(take_part(ctx, &chain, at, end));
        if (*chain) CHECK(fit_and_measure(ctx, w, chain, job));
    }
    if (w->n) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "'%s' needs a MODEL before DATA, or {learners majority;tree}", job->what);
}

/* -- showing -- */

static double bits_of(const length *l)
{
    return l->model_bits + l->data.bits;
}

/* Of equally short ones the first. */
static size_t shortest(const lengths *w)
{
    size_t best = 0;
    for (size_t i = 1; i < w->n; i++)
        if (bits_of(&w->list[i]) < bits_of(&w->list[best])) best = i;
    return best;
}

static const char *const left_heads[] = {
    [CAIRN_SENT_CLASS] = "wrong", [CAIRN_SENT_NUMBER] = "Σ error²", [CAIRN_SENT_ROW] = "−Σ ln f"};

static void show_lengths(cairn_report *out, const lengths *w)
{
    size_t best = shortest(w);
    double alone = w->list[best].data.alone;
    cairn_report_table_of(out, "Description lengths in bits", 0, "lrrrrrr", "model", "numbers",
                          "L(m)", left_heads[w->list[0].data.sent], "L(D|m)", "sum",
                          "of the data alone");
    for (size_t i = 0; i < w->n; i++) {
        const length *l = &w->list[i];
        cairn_report_cell_word(out, l->name, "model%zu.name", i + 1);
        cairn_report_cell_number(out, l->numbers, 0, "model%zu.numbers", i + 1);
        cairn_report_cell_number(out, l->model_bits, 0, "model%zu.model_bits", i + 1);
        cairn_report_cell_number(out, l->data.wrong, 0, "model%zu.wrong", i + 1);
        cairn_report_cell_number(out, l->data.bits, 0, "model%zu.data_bits", i + 1);
        cairn_report_cell_number(out, bits_of(l), 0, "model%zu.bits", i + 1);
        if (i == best) cairn_report_row_mark(out);
        cairn_report_cell_number(out, l->data.alone > 0 ? bits_of(l) / l->data.alone : NAN, 0,
                                 "model%zu.share", i + 1);
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "the data alone, in bits", alone, "alone");
    cairn_report_word(out, "shortest", w->list[best].name, "shortest");
    if (bits_of(&w->list[best]) >= alone)
        cairn_report_note(out, "No model pays for itself: the data alone are shorter.");
}

static void show_code(cairn_report *out, const lengths *w)
{
    const cairn_data_length *d = &w->list[0].data;
    bool given = w->p->number_bits >= 0;
    cairn_report_worked(out, "bits of a learned number",
                        given ? "given: #" : "½ log2 n = ½ log2 # = #",
                        given ? d->number_bits : d->rows, d->number_bits);
    if (d->sent == CAIRN_SENT_ROW)
        cairn_report_formula(out, "L(D|m) = Σ −log2 f(row) + Σ −log2(precision of a number)");
    else if (d->sent == CAIRN_SENT_NUMBER) {
        cairn_report_formula(out, "L(D|m) = n/2 · log2(2πe · Σ error² / n / precision²)");
        cairn_report_worked(out, "precision", "#", d->precision);
    } else if (w->code.by_probability)
        cairn_report_formula(out, "L(D|m) = Σ −log2 P(class of the row)");
    else
        cairn_report_formula(out, "L(D|m) = log2(n + 1) + log2 C(n, wrong) + wrong · log2(c − 1)");
}

static void work_data(cairn_report *out, const lengths *w, const cairn_data_length *d)
{
    if (d->sent == CAIRN_SENT_ROW)
        cairn_report_worked(out, "L(D|m)", "# / ln 2 + # = #", d->wrong, d->cell_bits, d->bits);
    else if (d->sent == CAIRN_SENT_NUMBER)
        cairn_report_worked(out, "L(D|m)", "#/2·log2(2πe·#/#/#²) = #", d->rows, d->wrong, d->rows,
                            d->precision, d->bits);
    else if (w->code.by_probability)
        cairn_report_worked(out, "L(D|m)", "#", d->bits);
    else
        cairn_report_worked(out, "L(D|m)", "log2(# + 1) + log2 C(#, #) + #·log2(# − 1) = #",
                            d->rows, d->rows, d->wrong, d->wrong, d->classes, d->bits);
}

static void show_work(cairn_report *out, const lengths *w, const length *l)
{
    double bits = l->data.number_bits;
    cairn_report_step_begin(out, "%s", l->name);
    if (l->cuts > 0)
        cairn_report_worked(out, "L(m)", "(# + # cut points)·# = #", l->numbers - l->cuts, l->cuts,
                            bits, l->model_bits);
    else
        cairn_report_worked(out, "L(m)", "#·# = #", l->numbers, bits, l->model_bits);
    work_data(out, w, &l->data);
    cairn_report_worked(out, "L(m) + L(D|m)", "# + # = #", l->model_bits, l->data.bits, bits_of(l));
    cairn_report_step_end(out);
}

/* Bits of the model and, on top of them, of what it leaves to say. */
static cairn_status make_figure(cairn_context *ctx, cairn_figure **out, const lengths *w)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    const char **names;
    double *model, *data;
    CHECK(SCRATCH(ctx, &names, w->n));
    CHECK(SCRATCH(ctx, &model, w->n));
    CHECK(SCRATCH(ctx, &data, w->n));
    for (size_t i = 0; i < w->n; i++) {
        names[i] = w->list[i].name;
        model[i] = w->list[i].model_bits;
        data[i] = w->list[i].data.bits;
    }
    CHECK(cairn_figure_new(ctx, &figure, "description-length", "Description lengths"));
    cairn_figure_axes(figure, NULL, "bits");
    cairn_figure_stacked(figure);
    cairn_figure_bars(figure, "L(m): the model", names, model, w->n);
    cairn_figure_bars(figure, "L(D|m): what it leaves to say", names, data, w->n);
    *out = TAKE(figure);
    return CAIRN_OK;
}

static cairn_status measure(cairn_context *ctx, lengths *w, const cairn_compute_job *job)
{
    const length_params *p = job->params;
    *w = (lengths){.p = p, .code = {p->code == CODE_PROBABILITIES, p->number_bits, p->precision}};
    return measure_all(ctx, w, job);
}

static cairn_status length_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    cairn_figure *figure = NULL;
    lengths w;
    CHECK(measure(ctx, &w, job));
    cairn_report_heading(out, 1, "Description lengths");
    cairn_report_formula(out, "L(m) + L(D|m)");
    show_code(out, &w);
    for (size_t i = 0; job->steps && i < w.n; i++) show_work(out, &w, &w.list[i]);
    show_lengths(out, &w);
    CHECK(make_figure(ctx, &figure, &w));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

static cairn_status length_draw(cairn_context *ctx, cairn_figure **out,
                                const cairn_compute_job *job)
{
    lengths w;
    CHECK(measure(ctx, &w, job));
    return make_figure(ctx, out, &w);
}

const cairn_calculator cairn_compute_description_length = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "description-length",
              .also = "MDL, minimum description length, two-part code, compression, parsimony, "
                      "Occam's razor, model selection",
              .title = "Minimum description length",
              .summary =
                  "The bits that a model takes and the bits that it leaves to say about the rows, "
                  "for saved models or for learners that are fitted to the data, beside the bits "
                  "of the data alone: the model with the least sum compresses most. A learned "
                  "number or cut point takes half the binary logarithm of the rows; classes are "
                  "sent as exceptions (how many, which rows, which class) or by their "
                  "probabilities, numbers as errors by a normal code, and by a model that says "
                  "how probable a row is (log_density, log_likelihood) whole rows; then n is the "
                  "rows, or "
                  "the steps of rows that are sequences.",
              .references = "Rissanen: Modeling by shortest data description, 1978; Quinlan and "
                            "Rivest: Inferring decision trees using the minimum description length "
                            "principle, 1989",
              .example = "cairn compute description-length @iris --learners "
                         "'majority;tree:max-depth=2;tree' --steps",
              .params = length_table,
              .params_size = sizeof(length_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "description-length",
                .also = "MDL, two-part code",
                .title = "Bits of models and of what they leave to say",
                .summary = "A bar for each model: the bits that it takes, and on top of them the "
                           "bits that it leaves to say about the rows. The lowest bar is the "
                           "shortest description.",
                .example = "cairn draw description-length @iris --learners "
                           "'majority;tree:max-depth=1;tree' --out bits.svg",
                .params = length_table,
                .params_size = sizeof(length_params)},
    .arguments = "[MODEL] DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .takes_model = true,
    .run = length_run,
    .draw = length_draw,
};
