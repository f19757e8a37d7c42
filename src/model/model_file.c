/* SPDX-License-Identifier: MIT */
/* Saving and loading. One function writes and reads each part, so they cannot disagree.
 *
 * Sections: "model" (learner, parameters, task, provenance), "schema", "inner", one "link" per
 * transform, "learner" (not in a recipe, whose learner has no name), "account", "fitted" and
 * "background" where they were kept.
 * The models inside a wrapper follow its "learner" in the same way, one after the other. */
#include "base/call.h"
#include "base/file.h"
#include "model/background.h"
#include "model/chain.h"
#include "model/model_objects.h"
#include <string.h>

enum { MOST_LINKS = 1000, MOST_CLASSES = 1 << 28 };

/* The parameters travel as their canonical spec. */
static cairn_status archive_params(cairn_archive *a, cairn_params **params, cairn_entry_kind kind)
{
    cairn_context *ctx = cairn_archive_context(a);
    cairn_status status;
    char *spec = NULL;
    if (!cairn_archive_reading(a) && *params) TRY(cairn_params_spec(ctx, *params, &spec));
    TRY(cairn_archive_text(a, "spec", &spec));
    if (!cairn_archive_reading(a)) goto done;
    if (!spec && kind == CAIRN_ENTRY_LEARNER) goto done; /* a recipe */
    if (!spec) TRY(cairn_archive_damaged(a, "a name is missing"));
    status = cairn_params_from_spec(ctx, params, kind, spec);
    if (status == CAIRN_USAGE) {
        cairn_message_prefix(ctx,
                             "the model needs a %s that this Cairn (%s) does not know and no "
                             "program has registered",
                             cairn_entry_kind_name(kind), CAIRN_VERSION);
        status = CAIRN_BAD_DATA;
    }
done:
    cairn_free(spec);
    return status;
}

static cairn_status archive_estimate(cairn_archive *a, cairn_estimate *e)
{
    if (cairn_archive_version(a) < 2) return CAIRN_OK;
    CHECK(cairn_archive_text(a, "estimate", &e->measure));
    if (!e->measure) return CAIRN_OK;
    CHECK(cairn_archive_text(a, "by", &e->by));
    CHECK(cairn_archive_real(a, "value", &e->value));
    CHECK(cairn_archive_real(a, "low", &e->low));
    CHECK(cairn_archive_real(a, "high", &e->high));
    CHECK(cairn_archive_real(a, "level", &e->level));
    CHECK(cairn_archive_real(a, "sd", &e->sd));
    CHECK(cairn_archive_real(a, "base", &e->baseline));
    CHECK(cairn_archive_size(a, "splits", &e->n_splits, SIZE_MAX / 2));
    if (!e->by) CHECK(cairn_archive_damaged(a, "the estimate has no resampling"));
    return CAIRN_OK;
}

/* How tables for the model are read. */
static cairn_status archive_reading(cairn_archive *a, cairn_model *m)
{
    if (cairn_archive_version(a) < 8) return CAIRN_OK;
    CHECK(cairn_archive_text(a, "marks", &m->marks));
    CHECK(cairn_archive_bool(a, "only_marks", &m->only_marks));
    CHECK(cairn_archive_int(a, "decimal", &m->decimal));
    if (m->decimal && m->decimal != '.' && m->decimal != ',')
        CHECK(cairn_archive_damaged(a, "%d is no decimal mark", m->decimal));
    if (cairn_archive_version(a) < 11) return CAIRN_OK;
    CHECK(cairn_archive_int(a, "thousands", &m->thousands));
    CHECK(cairn_archive_size(a, "skip", &m->skip, SIZE_MAX / 2));
    CHECK(cairn_archive_text(a, "comment", &m->comment));
    CHECK(cairn_archive_int(a, "bad_lines", &m->bad_lines));
    if (m->thousands && (m->thousands < 0 || m->thousands > 127 || !strchr(",.'_ ", m->thousands)))
        CHECK(cairn_archive_damaged(a, "%d is no mark between thousands", m->thousands));
    if (m->bad_lines < CAIRN_BAD_LINES_FAIL || m->bad_lines > CAIRN_BAD_LINES_PAD)
        CHECK(cairn_archive_damaged(a, "%d is no way with bad lines", m->bad_lines));
    return CAIRN_OK;
}

/* Whether the file is of a time when one section held the learner's model and its history. */
static bool is_together(const cairn_archive *a, const cairn_history *history)
{
    return history && cairn_archive_version(a) < (history->since ? history->since : 9);
}

/* Whether a section with the history follows the learner's. Before version 9 there was none. */
static cairn_status archive_accounting(cairn_archive *a, cairn_model *m)
{
    bool kept = m->history;
    const cairn_history *record = m->learner ? m->learner->history : NULL;
    if (cairn_archive_version(a) >= 9) CHECK(cairn_archive_bool(a, "account", &kept));
    kept = kept || is_together(a, record);
    if (!cairn_archive_reading(a) || !kept) return CAIRN_OK;
    if (!record) return cairn_archive_damaged(a, "the learner keeps no account");
    return NEW(cairn_archive_context(a), (char **)&m->history, record->size);
}

/* Whether a section with the labels of the fitted rows follows; from version 13 on. */
static cairn_status archive_labelling(cairn_archive *a, cairn_model *m)
{
    bool kept = m->fitted.n > 0;
    if (cairn_archive_version(a) < 13) return CAIRN_OK;
    CHECK(cairn_archive_bool(a, "fitted", &kept));
    if (!cairn_archive_reading(a) || !kept) return CAIRN_OK;
    if (!m->learner || !m->learner->labels_rows)
        return cairn_archive_damaged(a, "the learner labels no rows");
    m->fitted.n = 1; /* until the section says how many */
    return CAIRN_OK;
}

/* The labels themselves. */
static cairn_status archive_fitted(cairn_archive *a, cairn_model *m)
{
    if (!m->fitted.n) return CAIRN_OK;
    CHECK(cairn_archive_section(a, "fitted"));
    CHECK(cairn_archive_size(a, "rows", &m->fitted.n, UINT32_MAX));
    CHECK(cairn_archive_ints(a, "codes", &m->fitted.codes, m->fitted.n));
    for (size_t i = 0; i < m->fitted.n; i++)
        if (m->fitted.codes[i] < -1 || m->fitted.codes[i] >= (int64_t)m->fitted.n)
            return cairn_archive_damaged(a, "row %zu has no label of a cluster", i + 1);
    return CAIRN_OK;
}

/* The learner is known only when the parameters are read, so the task is checked last against
 * what it can do. */
static cairn_status archive_head(cairn_archive *a, cairn_model *m)
{
    int32_t task = (int32_t)m->task;
    int64_t seed = (int64_t)m->seed, hash = (int64_t)m->data_hash;
    CHECK(cairn_archive_section(a, "model"));
    CHECK(archive_params(a, &m->params, CAIRN_ENTRY_LEARNER));
    m->learner = m->params ? (const cairn_learner *)m->params->entry : NULL;
    CHECK(cairn_archive_int(a, "task", &task));
    CHECK(cairn_archive_size(a, "classes", &m->n_classes, MOST_CLASSES));
    CHECK(cairn_archive_int(a, "positive", &m->positive));
    CHECK(cairn_archive_text(a, "decision", &m->decision));
    CHECK(cairn_archive_text(a, "command", &m->command));
    CHECK(cairn_archive_int64(a, "seed", &seed));
    CHECK(cairn_archive_int64(a, "hash", &hash));
    CHECK(cairn_archive_size(a, "rows", &m->n_rows, SIZE_MAX / 2));
    CHECK(cairn_archive_size(a, "columns", &m->n_columns, SIZE_MAX / 2));
    CHECK(cairn_archive_real(a, "weight", &m->total_weight));
    CHECK(cairn_archive_real(a, "baseline", &m->baseline));
    CHECK(archive_estimate(a, &m->estimate));
    CHECK(archive_reading(a, m));
    CHECK(archive_accounting(a, m));
    CHECK(archive_labelling(a, m));
    if (cairn_archive_version(a) >= 17) CHECK(cairn_certificate_archive(a, &m->certificate));
    if (cairn_archive_version(a) >= 17) CHECK(cairn_archive_text(a, "class_type", &m->class_type));
    /* Whether a section with training rows to hold others against follows; from version 17 on. */
    bool kept = m->background.n_rows > 0;
    if (!(cairn_archive_version(a) < 17)) {
        CHECK(cairn_archive_bool(a, "background", &kept));
        if (kept && !m->learner) {
            CHECK(cairn_archive_damaged(a, "a recipe keeps no rows"));
        } else {
            if (cairn_archive_reading(a))
                m->background.n_rows = kept; /* until the section says how many */
        }
    }
    CHECK(cairn_archive_size(a, "links", &m->n_chain, MOST_LINKS));
    m->task = (cairn_task)task;
    m->seed = (uint64_t)seed;
    m->data_hash = (uint64_t)hash;
    bool one = task == CAIRN_CLASSIFY || task == CAIRN_REGRESS || task == CAIRN_LABEL_ITEMS ||
               task == (m->learner ? CAIRN_CLUSTER : CAIRN_TASK_AUTO);
    if (!one || (m->learner && !(m->learner->tasks & (unsigned)task)))
        CHECK(cairn_archive_damaged(a, "task %d is not one of the learner's", task));
    return CAIRN_OK;
}

cairn_status cairn_link_archive(cairn_archive *a, cairn_link *link)
{
    cairn_context *ctx = cairn_archive_context(a);
    CHECK(archive_params(a, &link->params, CAIRN_ENTRY_TRANSFORM));
    if (cairn_archive_reading(a)) link->transform = (const cairn_transform *)link->params->entry;
    CHECK(cairn_archive_bool(a, "automatic", &link->automatic));
    if (cairn_archive_reading(a)) CHECK(cairn_transform_begin(ctx, &link->state, link->transform));
    if (!link->transform->keeps) return link->transform->archive(a, link->state);
    return cairn_kept_archive(a, link->transform->keeps, link->state, NULL, NULL, NULL);
}

static cairn_status archive_chain(cairn_archive *a, cairn_model *m)
{
    size_t n = m->n_chain;
    if (cairn_archive_reading(a)) {
        m->n_chain = 0;
        CHECK(NEW(cairn_archive_context(a), &m->chain, n + 1));
        m->n_chain = n; /* links that were not reached are empty and clear to nothing */
    }
    for (size_t i = 0; i < n; i++) {
        CHECK(cairn_archive_section(a, "link"));
        CHECK(cairn_link_archive(a, &m->chain[i]));
    }
    return CAIRN_OK;
}

/* Targets beside the first one are for learners that can take them. */
static bool has_other_targets(const cairn_model *m, const cairn_schema *schema)
{
    size_t n = 0;
    for (size_t i = 0; i < schema->n_fields; i++) n += schema->fields[i].role == CAIRN_TARGET;
    return n > 1 && m->learner && !(cairn_model_accepts(m) & CAIRN_ACCEPTS_TARGETS);
}

/* The target must be what the head says, before and after the chain. */
static cairn_status check_target(cairn_archive *a, const cairn_model *m, const cairn_schema *schema)
{
    ptrdiff_t at = cairn_schema_role(schema, CAIRN_TARGET);
    bool classes = m->task == CAIRN_CLASSIFY || m->task == CAIRN_LABEL_ITEMS;
    if (!classes && (m->n_classes || m->positive != -1))
        return cairn_archive_damaged(a, "there are classes, but nothing is classified");
    if (m->task == CAIRN_CLUSTER || m->task == CAIRN_TASK_AUTO) return CAIRN_OK;
    if (has_other_targets(m, schema))
        return cairn_archive_damaged(a, "there are several targets, but its learner takes one");
    if (at < 0) return cairn_archive_damaged(a, "the target is missing from the schema");
    const cairn_field *target = &schema->fields[at];
    if (m->task == CAIRN_REGRESS && target->kind != CAIRN_NUMBER)
        return cairn_archive_damaged(a, "the target is not a number column");
    int32_t kind = m->task == CAIRN_LABEL_ITEMS ? CAIRN_SEQUENCE : CAIRN_LEVEL;
    if (classes && (target->kind != kind || target->names.n != m->n_classes))
        return cairn_archive_damaged(a, "the classes do not agree with the schema");
    bool is_class = m->baseline >= 0 && m->baseline < (double)m->n_classes;
    if (classes && !is_class) return cairn_archive_damaged(a, "the majority class is not a class");
    if (m->positive < -1 || m->positive >= (int64_t)m->n_classes)
        return cairn_archive_damaged(a, "the positive class is not a class");
    return CAIRN_OK;
}

cairn_status cairn_check_columns(cairn_archive *archive, const cairn_job *job, size_t n_columns)
{
    size_t n = 0;
    for (size_t i = 0; i < job->schema->n_fields; i++)
        n += job->schema->fields[i].role == CAIRN_FEATURE;
    if (n == n_columns) return CAIRN_OK;
    return cairn_archive_damaged(archive, "the learner has %zu columns, the schema %zu", n_columns,
                                 n);
}

/* Whether a learner that says `accepts` can be given a feature of the kind. */
static bool accepts_kind(unsigned accepts, int32_t kind)
{
    if (accepts & CAIRN_IGNORES_FEATURES) return true; /* it looks at none */
    if (accepts & CAIRN_ACCEPTS_RAW) return true;
    switch (kind) {
    case CAIRN_NUMBER: return accepts & CAIRN_ACCEPTS_NUMBERS;
    case CAIRN_LEVEL: return accepts & CAIRN_ACCEPTS_LEVELS;
    case CAIRN_BAG: return accepts & CAIRN_ACCEPTS_BAGS;
    case CAIRN_TEXT: return accepts & CAIRN_ACCEPTS_TEXTS;
    case CAIRN_SEQUENCE: return accepts & CAIRN_ACCEPTS_SEQUENCES;
    case CAIRN_SERIES: return accepts & CAIRN_ACCEPTS_SERIES;
    default: return false;
    }
}

/* What the learner loaded must fit what the rest of the file says. */
static cairn_status check_state(cairn_archive *a, const cairn_model *m)
{
    for (size_t i = 0; i < m->inner.n_fields; i++)
        if (m->inner.fields[i].role == CAIRN_FEATURE &&
            !accepts_kind(cairn_model_accepts(m), m->inner.fields[i].kind))
            return cairn_archive_damaged(a, "the learner cannot use column %zu", i + 1);
    cairn_job job = cairn_model_job(m);
    job.history = m->history;
    const cairn_learner *learner = m->learner;
    if (learner->columns)
        CHECK(cairn_check_columns(
            a, &job, (size_t)cairn_kept_count(learner->keeps, m->state, learner->columns)));
    return learner->check ? learner->check(a, m->state, &job) : CAIRN_OK;
}

/* The learner's state, and how it came about where that was kept. */
static cairn_status archive_learner(cairn_archive *a, cairn_model *m)
{
    const cairn_learner *learner = m->learner;
    const cairn_history *history = learner->history;
    const cairn_kept *keeps = learner->keeps;
    bool together = is_together(a, history);
    CHECK(cairn_archive_section(a, "learner"));
    if (cairn_archive_reading(a))
        CHECK(cairn_learner_begin(cairn_archive_context(a), &m->state, m->learner));
    if (together && history->archive_together)
        return history->archive_together(a, m->state, m->history);
    if (keeps && together && cairn_kept_has_values(keeps))
        return cairn_kept_archive(a, keeps, m->state, NULL, NULL, m->history);
    if (keeps)
        CHECK(cairn_kept_archive(a, keeps, m->state, NULL, NULL, NULL));
    else
        CHECK(learner->archive(a, m->state));
    if (!m->history) return CAIRN_OK;
    if (!together) CHECK(cairn_archive_section(a, "account"));
    if (!history->keeps) return history->archive(a, m->history, m->state);
    return cairn_kept_archive(a, history->keeps, m->history, keeps, m->state, NULL);
}

/* The means of the learner's number columns, from version 12 on and where they were kept. */
static cairn_status archive_means(cairn_archive *a, cairn_model *m)
{
    bool kept = m->means;
    size_t n = 0;
    if (cairn_archive_version(a) < 12) return CAIRN_OK;
    CHECK(cairn_archive_bool(a, "has_means", &kept));
    for (size_t i = 0; i < m->inner.n_fields; i++)
        n += m->inner.fields[i].role == CAIRN_FEATURE && m->inner.fields[i].kind == CAIRN_NUMBER;
    return kept ? cairn_archive_reals(a, "means", &m->means, n) : CAIRN_OK;
}

/* Target and state are checked when a file is read, since nothing in it is trusted; a chain
 * without a learner ends behind its steps. */
static cairn_status archive_model(cairn_archive *a, cairn_model *m)
{
    CHECK(archive_head(a, m));
    CHECK(cairn_archive_section(a, "schema"));
    CHECK(cairn_schema_archive(a, &m->schema));
    CHECK(cairn_archive_section(a, "inner"));
    CHECK(cairn_schema_archive(a, &m->inner));
    CHECK(archive_means(a, m));
    if (cairn_archive_reading(a)) CHECK(check_target(a, m, &m->schema));
    if (cairn_archive_reading(a)) CHECK(check_target(a, m, &m->inner));
    CHECK(archive_chain(a, m));
    if (!m->learner) return CAIRN_OK;
    CHECK(archive_learner(a, m));
    CHECK(archive_fitted(a, m));
    if (m->background.n_rows) {
        CHECK(cairn_archive_section(a, "background"));
        CHECK(cairn_background_archive(a, m));
    }
    return cairn_archive_reading(a) ? check_state(a, m) : CAIRN_OK;
}

static cairn_status copy_struct(cairn_context *ctx, void **state, size_t size)
{
    char *copy;
    if (!*state) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &copy, size));
    memcpy(copy, *state, size);
    *state = copy;
    return CAIRN_OK;
}

/* Functions that go both ways put back what they wrote down, and others may be reading the model
 * meanwhile: they are given copies of its structs, which share the arrays. */
static cairn_status write_model(cairn_archive *a, const cairn_model *model)
{
    cairn_context *ctx = cairn_archive_context(a);
    SCOPED_SCRATCH(ctx);
    cairn_model m = *model;
    const cairn_learner *learner = m.learner;
    if (learner) CHECK(copy_struct(ctx, &m.state, learner->model_size));
    if (learner && m.history) CHECK(copy_struct(ctx, &m.history, learner->history->size));
    CHECK(SCRATCH_RAW(ctx, &m.chain, m.n_chain + 1));
    for (size_t i = 0; i < m.n_chain; i++) {
        m.chain[i] = model->chain[i];
        CHECK(copy_struct(ctx, &m.chain[i].state, m.chain[i].transform->state_size));
    }
    return archive_model(a, &m);
}

cairn_status cairn_model_archive(cairn_archive *a, cairn_model **model)
{
    CHECK(cairn_archive_deeper(a));
    if (cairn_archive_reading(a)) {
        CHECK(NEW(cairn_archive_context(a), model, 1));
        CHECK(archive_model(a, *model));
    } else {
        CHECK(write_model(a, *model));
    }
    cairn_archive_back(a);
    return CAIRN_OK;
}

cairn_status cairn_model_save_memory(cairn_context *ctx, const cairn_model *model, char **bytes,
                                     size_t *length)
{
    PUBLIC_CALL(ctx);
    OWNED(cairn_archive_free) cairn_archive *a = NULL;
    CHECK(cairn_archive_writer(ctx, &a));
    CHECK(write_model(a, model));
    return cairn_archive_finish(a, bytes, length);
}

cairn_status cairn_model_load_memory(cairn_context *ctx, cairn_model **out, const char *name,
                                     const void *bytes, size_t length)
{
    PUBLIC_CALL(ctx);
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_archive_free) cairn_archive *a = NULL;
    OWNED(cairn_model_free) cairn_model *model = NULL;
    CHECK(cairn_archive_reader(ctx, &a, name, bytes, length));
    CHECK(NEW(ctx, &model, 1));
    CHECK(archive_model(a, model));
    CHECK(cairn_archive_finish(a, NULL, NULL));
    *out = TAKE(model);
    return CAIRN_OK;
}

cairn_status cairn_model_save(cairn_context *ctx, const cairn_model *model, const char *path)
{
    PUBLIC_CALL(ctx);
    char *bytes;
    size_t length;
    cairn_status status = cairn_model_save_memory(ctx, model, &bytes, &length);
    if (status) return status;
    status = cairn_file_write_all(ctx, path, bytes, length);
    cairn_free(bytes);
    return status;
}

cairn_status cairn_model_load(cairn_context *ctx, cairn_model **out, const char *path)
{
    PUBLIC_CALL(ctx);
    char *bytes;
    size_t length;
    if (ctx->objects && *path == '@') return cairn_objects_load(ctx, out, path);
    cairn_status status = cairn_file_read_all(ctx, path, &bytes, &length);
    if (status) return status;
    status = cairn_model_load_memory(ctx, out, path, bytes, length);
    cairn_free(bytes);
    return status;
}
