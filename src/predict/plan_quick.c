/* SPDX-License-Identifier: MIT */
/* The short way of rows without a missing cell.
 *
 * Where no cell is missing, what is filled is the cell itself and no answer is left blank. Such
 * slots are other names of the slots behind them; steps that read the whole of their inputs from
 * one place (reads_x) are led to the caller's row, and from the answers backwards only the steps
 * that are still needed are kept. */
#include "base/memory.h"
#include "predict/plan.h"

typedef struct shortening {
    const cairn_row_plan *plan;
    int32_t *alias; /* n_slots: the slot that holds the same number in a complete row */
    bool *needed;   /* n_slots: somebody reads it */
} shortening;

/* The slot of an input: fills of several operations are one step. */
static int32_t slot_in(const cairn_row_plan_step *step, size_t i)
{
    bool filled = step->op->kind == CAIRN_OP_FILL && step->own;
    return filled ? step->from + (int32_t)i : step->op->in[i];
}

static bool is_raw(const shortening *s, int32_t slot)
{
    return (size_t)s->alias[slot] < s->plan->n_inputs;
}

/* -- other names -- */

static void name_filled(shortening *s, const cairn_row_plan_step *step)
{
    for (size_t i = 0; i < step->n_out; i++)
        if (is_raw(s, slot_in(step, i)))
            s->alias[step->out + (int32_t)i] = s->alias[slot_in(step, i)];
}

/* Answers that are never left blank, because all cells that are looked at are the caller's. */
static void name_answers(shortening *s, const cairn_row_plan_step *step)
{
    size_t n = (size_t)step->op->sizes[0];
    for (size_t i = 0; i < n; i++)
        if (!is_raw(s, step->op->in[i])) return;
    for (size_t i = 0; i < step->n_out; i++)
        s->alias[step->out + (int32_t)i] = s->alias[step->op->in[n + i]];
}

static void find_names(shortening *s)
{
    for (size_t i = 0; i < s->plan->program.n_slots; i++) s->alias[i] = (int32_t)i;
    for (size_t i = 0; i < s->plan->n_steps; i++) {
        const cairn_row_plan_step *step = &s->plan->steps[i];
        if (step->op->kind == CAIRN_OP_FILL) name_filled(s, step);
        if (step->op->kind == CAIRN_OP_BLANK) name_answers(s, step);
    }
}

/* -- answers -- */

/* Where n slots have their other names, if those follow each other as they do. */
static int32_t real_slots(const shortening *s, int32_t first, size_t n)
{
    if (first < 0 || n == 0) return first;
    for (size_t i = 1; i < n; i++)
        if (s->alias[first + (int32_t)i] != s->alias[first] + (int32_t)i) return first;
    return s->alias[first];
}

static void need(shortening *s, int32_t first, size_t n)
{
    for (size_t i = 0; first >= 0 && i < n; i++) s->needed[(size_t)first + i] = true;
}

static cairn_program_answer find_answers(shortening *s, bool scores)
{
    cairn_program_answer a = s->plan->answer;
    a.code = real_slots(s, a.code, 1);
    a.number = real_slots(s, a.number, 1);
    a.scores = real_slots(s, a.scores, a.n_scores);
    need(s, a.code, 1);
    need(s, a.number, 1);
    if (scores) need(s, a.scores, a.n_scores);
    return a;
}

/* -- steps -- */

/* Whether one of n slots is needed. */
static bool is_needed(const shortening *s, int32_t first, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s->needed[(size_t)first + i]) return true;
    return false;
}

/* Whether all that a step reads lies in the caller's row as it does among the slots. */
static bool reads_row(const shortening *s, const cairn_row_plan_step *step)
{
    if (!step->reads_x || step->n_in == 0) return false;
    int32_t shift = step->from - s->alias[step->from];
    for (size_t i = 0; i < step->n_in; i++) {
        int32_t slot = slot_in(step, i);
        if (!is_raw(s, slot) || slot - s->alias[slot] != shift) return false;
    }
    return is_raw(s, step->from);
}

/* The form of a step; `last` = only its last output is asked for. */
static cairn_row_form choose_form(const cairn_row_plan_step *step, bool raw, bool last)
{
    if (last && step->code.one) return step->code;
    if (last && raw && step->complete_code.one) return step->complete_code;
    return raw && step->complete.one ? step->complete : step->any;
}

/* A step of the short way, and what it needs. */
static cairn_quick_step shorten(shortening *s, const cairn_row_plan_step *step)
{
    const cairn_row_plan_step *before = step->before, *reader = step;
    bool last = !is_needed(s, step->out, step->n_out - 1);
    cairn_quick_step quick = {.step = step, .raw = reads_row(s, step), .from = step->from};
    quick.form = choose_form(step, quick.raw, last);
    if (quick.raw) quick.from = s->alias[step->from];
    if (last && before) reader = before;
    for (size_t i = 0; !quick.raw && i < reader->n_in; i++) s->needed[slot_in(reader, i)] = true;
    return quick;
}

/* From the answers back to the row. */
static cairn_status shorten_plan(cairn_context *ctx, shortening *s, cairn_quick_plan *out,
                                 bool scores)
{
    size_t n = s->plan->n_steps, at = n;
    CHECK(NEW(ctx, &out->steps, n));
    for (size_t i = 0; i < s->plan->program.n_slots; i++) s->needed[i] = false;
    out->answer = find_answers(s, scores);
    for (size_t i = n; i-- > 0;) {
        const cairn_row_plan_step *step = &s->plan->steps[i];
        if (is_needed(s, step->out, step->n_out)) out->steps[--at] = shorten(s, step);
    }
    for (size_t i = at; i < n; i++) out->steps[i - at] = out->steps[i];
    out->n_steps = n - at;
    out->copies = is_needed(s, 0, s->plan->n_inputs);
    return CAIRN_OK;
}

cairn_status cairn_row_plan_shorten(cairn_context *ctx, cairn_row_plan *plan)
{
    SCOPED_SCRATCH(ctx);
    shortening s = {.plan = plan};
    CHECK(SCRATCH(ctx, &s.alias, plan->program.n_slots));
    CHECK(SCRATCH(ctx, &s.needed, plan->program.n_slots));
    find_names(&s);
    for (int with = 0; with < 2; with++)
        CHECK(shorten_plan(ctx, &s, &plan->quick[with], with != 0));
    return CAIRN_OK;
}

/* -- running -- */

bool cairn_quick_plan_run_all(const cairn_quick_plan *plan, const cairn_row_block *rows)
{
    for (size_t i = 0; i < plan->n_steps; i++) {
        const cairn_quick_step *s = &plan->steps[i];
        cairn_row_block own = *rows;
        if (!s->raw) own.x_step = (ptrdiff_t)rows->width;
        own.x = (s->raw ? rows->x : rows->v) + s->from;
        if (s->form.all) {
            if (!s->form.all(s->step, &own)) return false;
            continue;
        }
        for (size_t r = 0; r < rows->n; r++)
            if (!s->form.one(s->step, own.x + (ptrdiff_t)r * own.x_step, own.v + r * own.width))
                return false;
    }
    return true;
}
