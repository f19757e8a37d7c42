/* SPDX-License-Identifier: MIT */
/* Steps of rows and walks through contexts. */
#include "learners/sequence/markov.h"

#include "base/memory.h"

#include <string.h>

/* The symbol of every code of a column. */
static cairn_status translate(cairn_context *ctx, const cairn_column *column, cairn_map *symbols,
                              bool grow, int32_t **out)
{
    size_t n = column->names.n, index;
    CHECK(SCRATCH(ctx, out, n + 1));
    for (size_t k = 0; k < n; k++) {
        const char *name = cairn_map_key(&column->names, k);
        if (grow) CHECK(cairn_map_add(ctx, symbols, name, strlen(name), &index));
        (*out)[k] = (int32_t)cairn_map_find(symbols, name, strlen(name));
    }
    return CAIRN_OK;
}

static size_t longest_row(const cairn_markov_steps *steps)
{
    size_t most = steps->view->n_features;
    cairn_sequence run;
    for (size_t i = 0; steps->sequence >= 0 && i < steps->view->rows.n; i++) {
        cairn_view_sequences(steps->view, (size_t)steps->sequence, i, 1, &run);
        if (run.n > most) most = run.n;
    }
    return most;
}

/* Whether there is another word after a space. */
static bool has_words(const char *name)
{
    const char *space = strpbrk(name, " \t");
    return space && space[strspn(space, " \t")];
}

void cairn_markov_warn_words(cairn_context *ctx, const char *name, const cairn_column *column)
{
    size_t n = 0, example = 0;
    for (size_t k = column->names.n; k-- > 0;) {
        if (!has_words(cairn_map_key(&column->names, k))) continue;
        example = k;
        n++;
    }
    if (!n || 2 * n < column->names.n) return;
    cairn_warn(ctx,
               "cells of '%s' have several words, such as '%.60s', and each cell is taken for one "
               "step; {kinds %s=sequence} takes the words for the steps",
               name, cairn_map_key(&column->names, example), name);
}

cairn_status cairn_markov_open(cairn_context *ctx, cairn_markov_steps *out, const cairn_view *view,
                               cairn_map *symbols, bool grow)
{
    size_t n = 0;
    *out = (cairn_markov_steps){view, cairn_view_first(view, CAIRN_SEQUENCE), NULL, NULL};
    CHECK(SCRATCH(ctx, &out->symbol_of, view->n_features + 1));
    for (size_t f = 0; f < view->n_features; f++) {
        bool steps = out->sequence >= 0 ? (ptrdiff_t)f == out->sequence
                                        : view->features[f]->kind == CAIRN_LEVEL;
        if (!steps) continue;
        n++;
        if (grow && out->sequence < 0)
            cairn_markov_warn_words(ctx, view->names[f], view->features[f]);
        CHECK(translate(ctx, view->features[f], symbols, grow, &out->symbol_of[f]));
    }
    if (!n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "markov needs a column of sequences, or columns of levels for the steps; "
                          "declare one with {kinds COLUMN=sequence}");
    return SCRATCH_RAW(ctx, &out->row, longest_row(out) + 1);
}

size_t cairn_markov_row(const cairn_markov_steps *steps, size_t i)
{
    const cairn_view *view = steps->view;
    size_t n = 0;
    if (steps->sequence >= 0) {
        const int32_t *symbol_of = steps->symbol_of[steps->sequence];
        cairn_sequence run;
        cairn_view_sequences(view, (size_t)steps->sequence, i, 1, &run);
        for (n = 0; n < run.n; n++) steps->row[n] = run.items[n] < 0 ? -1 : symbol_of[run.items[n]];
        return n;
    }
    for (size_t f = 0; f < view->n_features; f++) {
        if (!steps->symbol_of[f]) continue;
        int32_t code = view->features[f]->codes[cairn_view_row(view, i)];
        steps->row[n++] = code < 0 ? -1 : steps->symbol_of[f][code];
    }
    return n;
}

cairn_markov_walk cairn_markov_begin(const cairn_markov_model *m)
{
    return (cairn_markov_walk){m->n_contexts - 1, 0};
}

size_t cairn_markov_go(const cairn_markov_model *m, cairn_markov_walk *walk, int32_t symbol)
{
    size_t digit = symbol < 0 ? 0 : (size_t)symbol;
    size_t before = symbol < 0 || walk->unknown ? SIZE_MAX : walk->context;
    walk->context = (walk->context * (m->n_symbols + 1) + digit) % m->n_contexts;
    if (symbol < 0)
        walk->unknown = m->order;
    else if (walk->unknown)
        walk->unknown--;
    return before;
}

void cairn_markov_name(cairn_text *out, const cairn_markov_model *m, size_t context)
{
    size_t base = m->n_symbols + 1, place = m->n_contexts / base;
    bool any = false;
    for (int32_t k = 0; k < m->order; k++, place /= base) {
        size_t digit = context / place % base;
        if (digit == m->n_symbols) continue;
        cairn_text_addf(out, any ? ", %s" : "%s", cairn_map_key(&m->symbols, digit));
        any = true;
    }
    if (!any) cairn_text_add(out, m->order ? "start" : "any");
}

double cairn_markov_free(const cairn_markov_model *m)
{
    size_t seen = 1; /* the start, the last of them */
    for (size_t k = 0; k + 1 < m->n_contexts; k++) seen += m->seen[k];
    return (double)(m->n_classes * seen * (m->n_symbols - 1));
}

const char *cairn_markov_class(const cairn_job *job, size_t class)
{
    if (job->task == CAIRN_CLUSTER) return "chain";
    ptrdiff_t at = cairn_schema_role(job->schema, CAIRN_TARGET);
    return at < 0 ? "?" : cairn_map_key(&job->schema->fields[at].names, class);
}
