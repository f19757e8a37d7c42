/* SPDX-License-Identifier: MIT */
/* Logistic and softmax regression written down, and read again:
 *
 *     yes: intercept = -6.46
 *     yes: weight = 0.0764
 *     yes: "blood pressure" = 0.01
 *
 * A line gives the weight of a term in the score of a class; what has no line is 0. Of two classes
 * the name may be left out: then the line is about the positive one. Terms are columns as they are
 * after the transforms ("colour=red" is an indicator or a word of a bag); `intercept` without
 * quotes is the constant. */
#include "learners/linear/logistic_forms.h"
#include "base/functions.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"
#include "stats/distributions.h"
#include <math.h>
#include <string.h>

/* -- reading -- */

typedef struct reader {
    cairn_context *ctx;
    const cairn_given *given;
    const cairn_job *job;
    const cairn_logistic_plan *plan;
    cairn_map terms;
    double *weights; /* n_present x (n_terms + 1) */
    uint8_t *seen;   /* the same shape */
} reader;

static cairn_status list_terms(cairn_context *ctx, cairn_map *out, const cairn_view *view)
{
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    size_t at;
    for (size_t j = 0; j < view->n_features; j++)
        if (view->features[j]->kind != CAIRN_BAG)
            CHECK(cairn_map_add(ctx, out, view->names[j], strlen(view->names[j]), &at));
    for (size_t j = 0; j < view->n_features; j++) {
        const cairn_column *bag = view->features[j];
        for (size_t i = 0; bag->kind == CAIRN_BAG && i < bag->names.n; i++) {
            name.length = 0;
            cairn_text_addf(&name, "%s=%s", view->names[j], cairn_map_key(&bag->names, i));
            CHECK(cairn_text_status(&name));
            CHECK(cairn_map_add(ctx, out, name.bytes, name.length, &at));
        }
    }
    return CAIRN_OK;
}

static cairn_status expected(const reader *r, const cairn_word *at, const char *what)
{
    char shown[80];
    return cairn_given_fail(r->ctx, r->given, at->at, "%s is expected here, not %s", what,
                            cairn_word_show(at, shown));
}

static const char *term_at(size_t i, const void *data)
{
    const cairn_map *terms = data;
    return i < terms->n ? cairn_map_key(terms, i) : NULL;
}

static cairn_status read_term(const reader *r, const cairn_word *word, size_t *out)
{
    if (word->kind != CAIRN_WORD_NAME) CHECK(expected(r, word, "the name of a column"));
    int64_t at = cairn_map_find(&r->terms, word->text, strlen(word->text));
    *out = (size_t)at;
    if (!word->quoted && strcmp(word->text, "intercept") == 0) {
        *out = r->terms.n;
        if (!r->plan->intercept)
            CHECK(cairn_given_fail(r->ctx, r->given, word->at,
                                   "{intercept none} says that there is no intercept"));
    } else if (at < 0) {
        const char *near = cairn_nearest_word(word->text, term_at, &r->terms);
        CHECK(cairn_given_fail(r->ctx, r->given, word->at, "there is no term '%s'%s%s%s",
                               word->text, near ? "; did you mean '" : "", near ? near : "",
                               near ? "'?" : ""));
    }
    return CAIRN_OK;
}

/* "CLASS: TERM = NUMBER" or "TERM = NUMBER". */
static cairn_status read_line(reader *r, const cairn_word **words)
{
    const cairn_word *at = *words;
    size_t class = 0, term, width = r->terms.n + 1;
    double number = 0;
    if (at->kind != CAIRN_WORD_NAME) CHECK(expected(r, at, "a class or a column"));
    if (cairn_word_is(at + 1, ":")) {
        /* Place of the class among those of the plan. */
        int32_t code;
        CHECK(cairn_given_class(r->ctx, r->given, at, r->job->schema, &code));
        for (class = 0; class < r->plan->n_present && r->plan->classes[class] != code;) ++class;
        if (class == r->plan->n_present)
            CHECK(
                cairn_given_fail(r->ctx, r->given, at->at, "no row has the class '%s'", at->text));
        at += 2;
    } else if (r->plan->n_present > 2) {
        CHECK(expected(r, at + 1, "a colon after the class"));
    }
    CHECK(read_term(r, at, &term));
    if (!cairn_word_is(++at, "=")) CHECK(expected(r, at, "'='"));
    at++;
    if (at->kind != CAIRN_WORD_NAME || at->quoted ||
        !cairn_number_parse(at->text, strlen(at->text), &number) || !isfinite(number))
        CHECK(expected(r, at, "a number"));
    if (r->seen[class * width + term])
        CHECK(cairn_given_fail(r->ctx, r->given, (*words)->at, "this weight is given twice"));
    r->seen[class * width + term] = 1;
    r->weights[class * width + term] = number;
    if ((++at)->kind != CAIRN_WORD_LINE && at->kind != CAIRN_WORD_END)
        CHECK(expected(r, at, "the end of the line"));
    *words = at;
    return CAIRN_OK;
}

cairn_status cairn_logistic_read_weights(cairn_context *ctx, const cairn_given *given,
                                         const cairn_job *job, const cairn_logistic_plan *plan,
                                         double **out, bool **named)
{
    reader r = {.ctx = ctx, .given = given, .job = job, .plan = plan};
    cairn_word *words;
    cairn_status status;
    size_t lines = 0;
    TRY(cairn_given_words(ctx, given, &words));
    TRY(list_terms(ctx, &r.terms, job->view));
    size_t width = r.terms.n + 1;
    TRY(SCRATCH_EACH(ctx, cairn_product(plan->n_present, width), &r.weights, &r.seen));
    TRY(SCRATCH(ctx, named, plan->n_present + 1));
    for (const cairn_word *at = words; at->kind != CAIRN_WORD_END;) {
        if (at->kind == CAIRN_WORD_LINE) {
            at++;
            continue;
        }
        TRY(read_line(&r, &at));
        lines++;
    }
    if (!lines)
        TRY(cairn_given_fail(ctx, given, 0,
                             "there is no weight; write lines such as 'CLASS: COLUMN = 0.5'"));
    for (size_t i = 0; i < plan->n_present * width; i++) (*named)[i / width] |= r.seen[i];
    *out = r.weights;
done:
    cairn_map_clear(&r.terms);
    return status;
}

/* -- writing -- */

typedef struct sheet {
    cairn_text *out;
    const cairn_logistic_model *m;
    const cairn_job *job;
    const cairn_map *classes;
    const char **dense; /* n_dense names of number columns */
    cairn_text buffer;
} sheet;

static cairn_status open_sheet(sheet *s, cairn_text *out, const void *model, const cairn_job *job)
{
    ptrdiff_t target = cairn_schema_role(job->schema, CAIRN_TARGET);
    size_t n = 0;
    *s = (sheet){.out = out, .m = model, .job = job};
    s->buffer = cairn_text_start(out->ctx);
    s->classes = &job->schema->fields[target].names;
    CHECK(SCRATCH(out->ctx, &s->dense, s->m->n_dense + 1));
    for (size_t i = 0; i < job->schema->n_fields && n < s->m->n_dense; i++) {
        const cairn_field *field = &job->schema->fields[i];
        if (field->role == CAIRN_FEATURE && field->kind != CAIRN_BAG) s->dense[n++] = field->name;
    }
    return CAIRN_OK;
}

static void close_sheet(sheet *s, cairn_status status)
{
    if (s->out->status == CAIRN_OK) s->out->status = status ? status : s->buffer.status;
    cairn_text_clear(&s->buffer);
}

static const char *class_of(const sheet *s, size_t k)
{
    return cairn_map_key(s->classes, (size_t)s->m->classes[k]);
}

static const char *term_of(sheet *s, size_t t)
{
    if (t == s->m->n_terms) return "intercept";
    if (t < s->m->n_dense) return s->dense[t];
    return cairn_term_name(&s->buffer, s->job->schema, s->m->n_dense, t);
}

/* Weights other than 0; the intercept comes first, and is there in any case. Returns false at the
 * end. */
static bool next_term(const sheet *s, size_t k, size_t *i, size_t *t)
{
    const cairn_logistic_model *m = s->m;
    for (++*i; *i <= m->n_terms; ++*i) {
        *t = *i == 0 ? m->n_terms : *i - 1;
        if (*i == 0 ? m->intercept : m->weights[*t * m->n_vectors + k] != 0) return true;
    }
    return false;
}

/* Weights of 0 are left out, yet a class without any weight keeps one line, since a class
 * without lines would be read again as the pinned one. */
static void write_text(cairn_text *out, const void *model, const cairn_job *job)
{
    cairn_scratch_mark mark = cairn_scratch_now(out->ctx);
    sheet s;
    cairn_status status = open_sheet(&s, out, model, job);
    cairn_text_add(out, "# class: term = weight; what has no line is 0\n");
    for (size_t k = 0; !status && k < s.m->n_vectors; k++) {
        size_t n = 0;
        for (size_t i = SIZE_MAX, t; next_term(&s, k, &i, &t); n++) {
            cairn_given_add_name(out, class_of(&s, k));
            cairn_text_add(out, ": ");
            const char *name = term_of(&s, t);
            bool column = t < s.m->n_terms && strcmp(name, "intercept") == 0;
            if (column)
                cairn_text_add(out, "\"intercept\"");
            else
                cairn_given_add_name(out, name);
            cairn_text_add(out, " = ");
            cairn_text_add_number(out, s.m->weights[t * s.m->n_vectors + k], CAIRN_SHORTEST);
            cairn_text_add_char(out, '\n');
        }
        if (n || s.m->n_terms == 0) continue;
        cairn_given_add_name(out, class_of(&s, k)); /* no weight, and yet no pinned class */
        cairn_text_add(out, ": ");
        cairn_given_add_name(out, term_of(&s, 0));
        cairn_text_add(out, " = 0\n");
    }
    close_sheet(&s, status);
    cairn_scratch_release(out->ctx, mark);
}

void cairn_forms_add_variable(cairn_text *out, const char *name)
{
    bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z');
    for (const char *at = name; *at; at++)
        plain = plain && ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                          (*at >= '0' && *at <= '9') || *at == '_');
    if (plain) {
        cairn_text_add(out, name);
        return;
    }
    cairn_text_add_char(out, '`');
    for (const char *at = name; *at; at++) {
        if (*at == '`') cairn_text_add_char(out, '`');
        cairn_text_add_char(out, *at);
    }
    cairn_text_add_char(out, '`');
}

/* The score of class k: 1.5 - 0.3*x + 2*`the width`. */
static void add_score(sheet *s, size_t k)
{
    const cairn_logistic_model *m = s->m;
    bool any = false;
    for (size_t i = SIZE_MAX, t; next_term(s, k, &i, &t); any = true) {
        double w = m->weights[t * m->n_vectors + k];
        if (any) cairn_text_add(s->out, signbit(w) ? " - " : " + ");
        cairn_text_add_number(s->out, any ? fabs(w) : w, CAIRN_SHORTEST);
        if (t == m->n_terms) continue;
        cairn_text_add_char(s->out, '*');
        cairn_forms_add_variable(s->out, term_of(s, t));
    }
    if (!any) cairn_text_add_char(s->out, '0');
}

/* Softmax is written with differences of scores, which do not overflow where e to a score would. */
static void write_formula(cairn_text *out, const void *model, const cairn_job *job)
{
    cairn_scratch_mark mark = cairn_scratch_now(out->ctx);
    sheet s;
    cairn_status status = open_sheet(&s, out, model, job);
    cairn_text name = cairn_text_start(out->ctx);
    for (size_t k = 0; !status && k < s.m->n_present; k++) {
        if (s.m->n_vectors == 1 && k == 1) break;
        name.length = 0;
        cairn_text_addf(&name, s.m->n_vectors == 1 ? "p(%s)" : "score(%s)", class_of(&s, k));
        cairn_forms_add_variable(out, cairn_text_string(&name));
        cairn_text_add(out, " = ");
        if (s.m->n_vectors == 1) cairn_text_add(out, "1 / (1 + exp(-(");
        if (k < s.m->n_vectors)
            add_score(&s, k);
        else
            cairn_text_add_char(out, '0');
        cairn_text_add(out, s.m->n_vectors == 1 ? ")))\n" : "\n");
    }
    for (size_t k = 0; !status && s.m->n_vectors > 1 && k < s.m->n_present; k++) {
        name.length = 0;
        cairn_text_addf(&name, "p(%s)", class_of(&s, k));
        cairn_forms_add_variable(out, cairn_text_string(&name));
        cairn_text_add(out, " = 1 / (");
        for (size_t j = 0; j < s.m->n_present; j++) {
            if (j) cairn_text_add(out, " + ");
            if (j == k) {
                cairn_text_add_char(out, '1');
                continue;
            }
            cairn_text_add(out, "exp(");
            for (size_t side = 0; side < 2; side++) {
                name.length = 0;
                cairn_text_addf(&name, "score(%s)", class_of(&s, side ? k : j));
                if (side) cairn_text_add(out, " - ");
                cairn_forms_add_variable(out, cairn_text_string(&name));
            }
            cairn_text_add_char(out, ')');
        }
        cairn_text_add(out, ")\n");
    }
    if (!status) status = cairn_text_status(&name);
    cairn_text_clear(&name);
    close_sheet(&s, status);
    cairn_scratch_release(out->ctx, mark);
}

/* ",0.5", or an empty cell for what is no number. */
static void add_number_cell(cairn_text *out, double x)
{
    cairn_text_add_char(out, ',');
    if (isfinite(x)) cairn_text_add_number(out, x, CAIRN_SHORTEST);
}

/* Without standard errors (a penalty, weights by hand) z, p and the interval stay empty. */
static void write_table(cairn_text *out, const void *model, const cairn_job *job)
{
    cairn_scratch_mark mark = cairn_scratch_now(out->ctx);
    const cairn_logistic_history *history = job->history;
    const cairn_logistic_params *params = job->params;
    const double *errors = history ? history->errors : NULL;
    sheet s;
    cairn_status status = open_sheet(&s, out, model, job);
    cairn_text_add(out, "class,term,coefficient,standard_error,z,p,low,high,odds_ratio\n");
    for (size_t k = 0; !status && k < s.m->n_vectors; k++)
        for (size_t i = s.m->intercept ? 0 : 1; i <= s.m->n_terms; i++) {
            size_t t = i == 0 ? s.m->n_terms : i - 1, at = t * s.m->n_vectors + k;
            double w = s.m->weights[at], error = errors ? errors[at] : NAN;
            double reach = cairn_normal_quantile((1 + params->level) / 2) * error;
            cairn_text_add_csv(out, class_of(&s, k));
            cairn_text_add_char(out, ',');
            cairn_text_add_csv(out, term_of(&s, t));
            add_number_cell(out, w);
            add_number_cell(out, error);
            add_number_cell(out, w / error);
            add_number_cell(out, 2 * cairn_normal_upper(fabs(w / error)));
            add_number_cell(out, w - reach);
            add_number_cell(out, w + reach);
            add_number_cell(out, cairn_exp(w));
            cairn_text_add_char(out, '\n');
        }
    close_sheet(&s, status);
    cairn_scratch_release(out->ctx, mark);
}

const cairn_export_form cairn_class_planes_forms[] = {
    {"text", "a line for every weight, which --given reads again", write_text},
    {NULL, NULL, NULL},
};

const cairn_export_form cairn_logistic_forms[] = {
    {"text", "a line for every weight, which --given reads again", write_text},
    {"formula", "expressions for the probabilities, as --with formula takes them", write_formula},
    {"table", "CSV of the coefficients with errors, tests, intervals and odds ratios", write_table},
    {NULL, NULL, NULL},
};
