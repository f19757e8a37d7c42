/* SPDX-License-Identifier: MIT */
/* Learners of a program's own: the record that it registered behind one of the library's, so that
 * fitting, resampling, wrappers and model files need not know the difference. */
#include "base/call.h"
#include "base/file.h"
#include "base/options.h"
#include "base/text.h"
#include "model/own.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct own_learner {
    cairn_own own; /* first: the block is freed through it */
    cairn_learner learner;
    cairn_plugin_learner record; /* as this library knows it */
} own_learner;

typedef struct own_model {
    const own_learner *mine; /* held by the settings of the model */
    void *state;             /* the record's; NULL until it is fitted or loaded */
    uint8_t *bytes;          /* between reading a file and checking it: the state written down */
    size_t n_bytes;
} own_model;

cairn_status cairn_learner_begin(cairn_context *ctx, void **model, const cairn_learner *learner)
{
    CHECK(NEW(ctx, (char **)model, learner->model_size));
    if (learner->begin) learner->begin(*model, learner);
    return CAIRN_OK;
}

static void own_begin(void *model, const cairn_learner *learner)
{
    own_model *m = model;
    m->mine = (const own_learner *)learner->entry.own;
}

static cairn_status ended(cairn_context *ctx, const own_model *m, const char *what,
                          cairn_status status)
{
    return cairn_own_ended(ctx, &m->mine->learner.entry, what, status);
}

static cairn_status own_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    own_model *m = model;
    const cairn_plugin_learner *r = &m->mine->record;
    cairn_own_begins(ctx);
    return ended(ctx, m, "fit", r->fit(ctx, job, &m->state, r->data));
}

static cairn_status own_update(cairn_context *ctx, void *model, const cairn_job *job)
{
    own_model *m = model;
    const cairn_plugin_learner *r = &m->mine->record;
    cairn_own_begins(ctx);
    return ended(ctx, m, "update", r->update(ctx, job, m->state, r->data));
}

/* -- predicting -- */

static cairn_status refuse_answer(cairn_context *ctx, const own_model *m, size_t row,
                                  const char *what)
{
    return cairn_fail(ctx, CAIRN_INTERNAL, "the learner '%s' answered row %zu with %s",
                      m->mine->record.name, row + 1, what);
}

/* Codes and scores go on into arrays of so many classes: what a record gives is not trusted. */
static cairn_status check_answers(cairn_context *ctx, const own_model *m,
                                  const cairn_prediction *out)
{
    size_t k = out->n_classes;
    for (size_t i = 0; out->codes_set && out->codes && i < out->n_rows; i++)
        if (out->codes[i] < -1 || (out->codes[i] >= 0 && (size_t)out->codes[i] >= k))
            return refuse_answer(ctx, m, i, "a class that there is not");
    for (size_t i = 0; out->scores && i < out->n_rows * k; i++)
        if (!isfinite(out->scores[i]))
            return refuse_answer(ctx, m, i / k, "a score that is no number");
    for (size_t i = 0; out->numbers && i < out->n_rows; i++)
        if (isinf(out->numbers[i])) return refuse_answer(ctx, m, i, "an infinite number");
    return CAIRN_OK;
}

static cairn_status own_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                const cairn_job *job)
{
    const own_model *m = model;
    const cairn_plugin_learner *r = &m->mine->record;
    cairn_plugin_answers answers = {.size = sizeof answers,
                                    .n_rows = out->n_rows,
                                    .n_classes = out->n_classes,
                                    .scores = out->scores,
                                    .codes = out->codes,
                                    .numbers = out->numbers};
    cairn_own_begins(ctx);
    CHECK(ended(ctx, m, "predict", r->predict(ctx, job, m->state, &answers, r->data)));
    out->codes_set = answers.codes_set;
    if (out->codes && !out->scores && !answers.codes_set)
        return cairn_fail(ctx, CAIRN_INTERNAL,
                          "'predict' of the learner '%s' set neither codes nor scores", r->name);
    return check_answers(ctx, m, out);
}

/* -- telling -- */

static void own_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const own_model *m = model;
    const cairn_plugin_learner *r = &m->mine->record;
    if (r->describe) r->describe(out, job, m->state, r->data);
}

static cairn_model_size own_size(const void *model)
{
    const own_model *m = model;
    const cairn_plugin_learner *r = &m->mine->record;
    return (cairn_model_size){.parameters = r->parameters ? r->parameters(m->state, r->data) : NAN};
}

static size_t own_clusters(const void *model)
{
    const own_model *m = model;
    const cairn_plugin_learner *r = &m->mine->record;
    return r->clusters(m->state, r->data);
}

/* -- keeping -- */

cairn_status cairn_own_archive(cairn_archive *a, const cairn_entry *entry,
                               cairn_status (*save)(cairn_context *ctx, const void *state,
                                                    cairn_sink *out, void *data),
                               const void *state, void *data, uint8_t **bytes, size_t *n)
{
    cairn_context *ctx = cairn_archive_context(a);
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    if (!cairn_archive_reading(a)) {
        cairn_sink sink = {NULL};
        CHECK(cairn_output_memory(ctx, &sink.file, &text));
        cairn_own_begins(ctx);
        cairn_status status = save ? save(ctx, state, &sink, data) : CAIRN_OK;
        status = cairn_own_ended(ctx, entry, "save", status);
        if (status) cairn_output_abort(sink.file);
        CHECK(status);
        CHECK(cairn_output_commit(ctx, sink.file));
        uint8_t *written = (uint8_t *)text.bytes;
        size_t length = text.length;
        CHECK(cairn_archive_size(a, "state_bytes", &length, SIZE_MAX / 2));
        return cairn_archive_bytes(a, "state", &written, length);
    }
    CHECK(cairn_archive_size(a, "state_bytes", n, SIZE_MAX / 2));
    return cairn_archive_bytes(a, "state", bytes, *n);
}

cairn_status cairn_own_loaded(cairn_archive *a, const cairn_entry *entry, cairn_status status)
{
    cairn_context *ctx = cairn_archive_context(a);
    char said[CAIRN_MESSAGE_SIZE / 2];
    status = cairn_own_ended(ctx, entry, "load", status);
    if (status != CAIRN_BAD_DATA) return status;
    snprintf(said, sizeof said, "%.1000s", ctx->message);
    return cairn_archive_damaged(a, "the %s '%s' refused it: %s",
                                 cairn_entry_kind_name(entry->kind), entry->name, said);
}

static cairn_status own_archive(cairn_archive *a, void *model)
{
    own_model *m = model;
    const cairn_plugin_learner *r = &m->mine->record;
    return cairn_own_archive(a, &m->mine->learner.entry, r->save, m->state, r->data, &m->bytes,
                             &m->n_bytes);
}

/* The state is made of its bytes here, where columns and classes are known. */
static cairn_status own_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    own_model *m = (own_model *)model; /* which nobody else has yet */
    const cairn_plugin_learner *r = &m->mine->record;
    cairn_context *ctx = cairn_archive_context(a);
    cairn_own_begins(ctx);
    cairn_status status = r->load(ctx, job, m->bytes, m->n_bytes, &m->state, r->data);
    cairn_free(m->bytes);
    m->bytes = NULL;
    return cairn_own_loaded(a, &m->mine->learner.entry, status);
}

static void own_clear(void *model)
{
    own_model *m = model;
    cairn_free(m->bytes);
    if (m->state) m->mine->record.release(m->state, m->mine->record.data);
}

/* -- registering -- */

static unsigned accepts_of(unsigned flags)
{
    static const unsigned pairs[][2] = {{CAIRN_PLUGIN_LEVELS, CAIRN_ACCEPTS_LEVELS},
                                        {CAIRN_PLUGIN_MISSING, CAIRN_ACCEPTS_MISSING},
                                        {CAIRN_PLUGIN_WEIGHTS, CAIRN_ACCEPTS_WEIGHTS},
                                        {CAIRN_PLUGIN_TEXTS, CAIRN_ACCEPTS_TEXTS},
                                        {CAIRN_PLUGIN_BAGS, CAIRN_ACCEPTS_BAGS},
                                        {CAIRN_PLUGIN_SEQUENCES, CAIRN_ACCEPTS_SEQUENCES},
                                        {CAIRN_PLUGIN_SERIES, CAIRN_ACCEPTS_SERIES},
                                        {CAIRN_PLUGIN_ONE_CLASS, CAIRN_ACCEPTS_ONE_CLASS},
                                        {CAIRN_PLUGIN_NO_FEATURES, CAIRN_ACCEPTS_NO_FEATURES},
                                        {CAIRN_PLUGIN_SCALED, CAIRN_WANTS_SCALING}};
    unsigned accepts = CAIRN_ACCEPTS_NUMBERS;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (flags & pairs[i][0]) accepts |= pairs[i][1];
    return accepts;
}

static unsigned traits_of(const cairn_plugin_learner *r)
{
    unsigned traits = CAIRN_PREDICTIVE | CAIRN_GRADING;
    traits |= r->tasks == CAIRN_CLUSTER ? CAIRN_UNSUPERVISED : CAIRN_SUPERVISED;
    traits |= r->flags & CAIRN_PLUGIN_PROBABILISTIC ? CAIRN_PROBABILISTIC
              : r->flags & CAIRN_PLUGIN_LOGICAL     ? CAIRN_LOGICAL
                                                    : CAIRN_GEOMETRIC;
    if (r->flags & CAIRN_PLUGIN_PROBABILITIES) traits |= CAIRN_GIVES_PROBABILITIES;
    return traits;
}

/* The record of the library, whose functions call those of the program. */
static cairn_learner learner_of(const cairn_plugin_learner *r)
{
    bool scores = r->flags & (CAIRN_PLUGIN_SCORES | CAIRN_PLUGIN_PROBABILITIES);
    return (cairn_learner){.tasks = r->tasks,
                           .accepts = accepts_of(r->flags),
                           .traits = traits_of(r),
                           .model_size = sizeof(own_model),
                           .gives_scores = scores,
                           .sets_codes = !scores,
                           .begin = own_begin,
                           .fit = own_fit,
                           .update = r->update ? own_update : NULL,
                           .predict = own_predict,
                           .describe = own_describe,
                           .archive = own_archive,
                           .check = own_check,
                           .clear = own_clear,
                           .size = own_size,
                           .clusters = r->clusters ? own_clusters : NULL};
}

/* What a record needs to be a learner. */
static cairn_status check_learner(cairn_context *ctx, const cairn_plugin_learner *r)
{
    const unsigned known = CAIRN_CLASSIFY | CAIRN_REGRESS | CAIRN_CLUSTER;
    CHECK(cairn_own_needs(ctx, r->name, "fit", r->fit));
    CHECK(cairn_own_needs(ctx, r->name, "predict", r->predict));
    CHECK(cairn_own_needs(ctx, r->name, "save", r->save));
    CHECK(cairn_own_needs(ctx, r->name, "load", r->load));
    CHECK(cairn_own_needs(ctx, r->name, "release", r->release));
    CHECK(cairn_own_needs(ctx, r->name, "task", r->tasks && !(r->tasks & ~known)));
    CHECK(cairn_own_needs(ctx, r->name, "clusters", !(r->tasks & CAIRN_CLUSTER) || r->clusters));
    bool known_flags = !(r->flags & ~(2u * CAIRN_PLUGIN_LOGICAL - 1));
    return cairn_own_needs(ctx, r->name, "meaning for some of its flags", known_flags);
}

cairn_status cairn_register_learner(cairn_context *ctx, const cairn_plugin_learner *record)
{
    PUBLIC_CALL(ctx);
    own_learner *mine;
    cairn_plugin_learner full = {.size = sizeof full};
    CHECK(cairn_options_take(ctx, &full, sizeof full, record, "cairn_plugin_learner"));
    CHECK(NEW(ctx, &mine, 1));
    mine->record = full;
    mine->learner = learner_of(&full);
    cairn_own_words words = {.kind = CAIRN_ENTRY_LEARNER,
                             .name = full.name,
                             .title = full.title,
                             .summary = full.summary,
                             .also = full.also,
                             .example = full.example,
                             .params = full.params,
                             .params_size = full.params_size};
    cairn_status status = cairn_own_fill(ctx, &mine->own, &mine->learner.entry, &words);
    if (!status) status = check_learner(ctx, &full);
    if (!status) status = cairn_own_register(ctx, &mine->learner.entry);
    cairn_entry_drop(&mine->learner.entry);
    return status;
}
