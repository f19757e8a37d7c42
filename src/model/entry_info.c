/* SPDX-License-Identifier: MIT */
/* The registry for programs: see cairn/registry.h. */
#include "cairn/registry.h"

#include "base/call.h"
#include "base/options.h"
#include "entry/range.h"
#include "model/learner.h"
#include <math.h>
#include <string.h>

_Static_assert(CAIRN_PARAM_CONDITIONS >= CAIRN_MOST_NESTING + 1, "a condition for every group");
_Static_assert(CAIRN_PARAM_NAME_SIZE == 64, "as cairn_option_name writes them");

const char *cairn_type_name(cairn_type type)
{
    static const char *const words[] = {"bool",   "int",  "int64",   "real", "text",
                                        "choice", "list", "columns", "file", "spec"};
    return (unsigned)type < sizeof words / sizeof *words ? words[type] : "unknown";
}

size_t cairn_entry_count(const cairn_context *ctx, cairn_entry_kind kind)
{
    size_t count = 0;
    while (cairn_entry_at(ctx, kind, count)) count++;
    return count;
}

const cairn_entry *cairn_entry_at(const cairn_context *ctx, cairn_entry_kind kind, size_t i)
{
    size_t n;
    const cairn_entry *const *entries = cairn_entries(ctx, &n);
    for (size_t at = 0; at < n; at++)
        if (entries[at]->kind == kind && i-- == 0) return entries[at];
    return NULL;
}

const cairn_entry *cairn_entry_by_name(const cairn_context *ctx, cairn_entry_kind kind,
                                       const char *name)
{
    return cairn_entry_find(ctx, kind, name);
}

/* The kinds of features that are taken as they are. */
static unsigned kinds_of(unsigned accepts)
{
    static const struct {
        unsigned flag;
        cairn_kind kind;
    } kinds[] = {{CAIRN_ACCEPTS_NUMBERS, CAIRN_NUMBER},     {CAIRN_ACCEPTS_LEVELS, CAIRN_LEVEL},
                 {CAIRN_ACCEPTS_TEXTS, CAIRN_TEXT},         {CAIRN_ACCEPTS_BAGS, CAIRN_BAG},
                 {CAIRN_ACCEPTS_SEQUENCES, CAIRN_SEQUENCE}, {CAIRN_ACCEPTS_SERIES, CAIRN_SERIES}};
    unsigned mask = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (accepts & kinds[i].flag) mask |= 1u << kinds[i].kind;
    return mask;
}

/* What only learners have. */
static void add_learner(cairn_entry_details *out, const cairn_learner *learner)
{
    out->tasks = learner->tasks;
    out->kinds = kinds_of(learner->accepts);
    out->takes_missing = learner->accepts & CAIRN_ACCEPTS_MISSING;
    out->takes_weights = learner->accepts & CAIRN_ACCEPTS_WEIGHTS;
    out->takes_targets = learner->accepts & CAIRN_ACCEPTS_TARGETS;
    out->needs_target = learner->traits & CAIRN_SUPERVISED;
    out->wraps = learner->traits & CAIRN_AS_BASE;
    out->gives_scores = learner->gives_scores;
    out->gives_probabilities = learner->traits & CAIRN_GIVES_PROBABILITIES;
    out->may_abstain = learner->traits & CAIRN_MAY_ABSTAIN;
    out->predicts = learner->predict;
    out->updates = learner->update;
}

bool cairn_entry_info(const cairn_entry *entry, cairn_entry_details *out)
{
    cairn_entry_details details = {.kind = entry->kind,
                                   .name = entry->name,
                                   .title = entry->title,
                                   .summary = entry->summary,
                                   .also = entry->also,
                                   .references = entry->references,
                                   .example = entry->example};
    if (entry->kind == CAIRN_ENTRY_LEARNER) add_learner(&details, (const cairn_learner *)entry);
    return cairn_options_fill(out, &details, sizeof details);
}

size_t cairn_param_count(const cairn_entry *entry)
{
    size_t n = 0;
    while (cairn_params_row(entry, n, NULL)) n++;
    return n;
}

/* The range as text and as numbers. */
static void add_range(cairn_param_info *out, const cairn_param *row)
{
    cairn_range range = {-INFINITY, INFINITY, false, false};
    out->range = row->range;
    if (row->range) (void)cairn_range_parse(row->range, &range);
    out->low = range.low;
    out->high = range.high;
    out->low_open = range.low_open;
    out->high_open = range.high_open;
}

bool cairn_param_at(const cairn_entry *entry, size_t i, cairn_param_info *out)
{
    const cairn_param *row = cairn_params_row(entry, i, NULL);
    if (!row) return false;
    cairn_param_info info = {.type = row->type,
                             .initial = row->initial,
                             .required = cairn_param_is_required(row),
                             .repeated = row->repeated,
                             .often = row->often,
                             .writes = row->writes,
                             .names = row->names,
                             .help = row->help};
    if (cairn_same(row->initial, CAIRN_NOT_GIVEN)) info.initial = NULL;
    cairn_option_name(info.name, row->name);
    add_range(&info, row);
    while (cairn_param_choice(entry, i, info.choice_count, NULL)) info.choice_count++;
    (void)cairn_params_when(entry, i, info.when);
    return cairn_options_fill(out, &info, sizeof info);
}

const char *cairn_param_choice(const cairn_entry *entry, size_t i, size_t choice, const char **help)
{
    const cairn_param *row = cairn_params_row(entry, i, NULL);
    const cairn_choice *at = row ? row->choices : NULL;
    if (!at) return NULL;
    for (; choice && at->name; choice--) at++;
    if (help) *help = at->name ? at->help : NULL;
    return at->name;
}

cairn_status cairn_text_said(cairn_context *ctx, const char *text, char **out)
{
    PUBLIC_CALL(ctx);
    char said[CAIRN_MESSAGE_SIZE];
    SCOPED(cairn_text_clear) cairn_text written = cairn_text_start(ctx);
    cairn_text_add(&written, cairn_format_said(ctx, said, sizeof said, text));
    return cairn_text_take(&written, out);
}
