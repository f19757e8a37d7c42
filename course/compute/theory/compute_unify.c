/* SPDX-License-Identifier: MIT */
/* cairn compute unify: the most general unifier of first-order terms or atoms (their greatest
 * common instance) and their least general generalisation (anti-unification). */
#include "model/calculator.h"
#include "typed/terms.h"

#include <stdio.h>
#include <string.h>

enum { MOST_TERMS = 1000 };

typedef struct unify_params {
    const char *terms;
    int vars;
    bool apart, occurs_check;
} unify_params;

static const cairn_choice conventions[] = {
    {"lower", 0, "names with a small initial and no arguments are variables"},
    {"upper", 1, "names with a capital initial or _ are, as in Prolog"},
    {0},
};

static const cairn_param unify_table[] = {
    {.name = "terms",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(unify_params, terms),
     .required = true,
     .help = "two or more terms or atoms separated by ;, such as 'P(x, F(A)); P(B, y)'"},
    CAIRN_PARAM_CHOICE(unify_params, vars, "lower", conventions, "which names are variables"),
    CAIRN_PARAM(unify_params, apart, "no", NULL,
                "variables of different terms are different, and get the number of their term"),
    CAIRN_PARAM(unify_params, occurs_check, "yes", NULL,
                "no variable may stand for a term that holds it"),
    CAIRN_PARAM_END,
};

static cairn_status read_all(cairn_terms *terms, uint32_t **out, size_t *n, const unify_params *p)
{
    size_t at = 0;
    CHECK(SCRATCH(terms->ctx, out, MOST_TERMS));
    for (*n = 0;; at++) {
        if (*n == MOST_TERMS)
            CHECK(cairn_fail(terms->ctx, CAIRN_USAGE, "{terms}: at most %d are taken", MOST_TERMS));
        CHECK(cairn_term_read(terms, &(*out)[*n], p->terms, &at, p->apart ? (int)*n + 1 : 0,
                              "terms"));
        ++*n;
        if (!p->terms[at]) break;
    }
    if (*n < 2)
        CHECK(
            cairn_fail(terms->ctx, CAIRN_USAGE, "{terms}: two or more are needed, separated by ;"));
    return CAIRN_OK;
}

/* A term as text, in a report's cell or value. */
static cairn_status term_word(cairn_report *out, const cairn_terms *terms,
                              const cairn_unifier *unifier, uint32_t term, const char *label,
                              const char *name)
{
    cairn_text text = cairn_text_start(terms->ctx);
    cairn_term_add(&text, terms, unifier, term);
    if (label)
        cairn_report_word(out, label, cairn_text_string(&text), "%s", name);
    else
        cairn_report_cell_word(out, cairn_text_string(&text), "%s", name);
    cairn_status status = cairn_text_status(&text);
    cairn_text_clear(&text);
    return status;
}

static cairn_status keyed_cell(cairn_report *out, const cairn_terms *terms,
                               const cairn_unifier *unifier, uint32_t term, const char *prefix,
                               uint32_t variable, const char *suffix)
{
    cairn_text name = cairn_text_start(terms->ctx);
    cairn_text_addf(
        &name, "%s%s%s", prefix,
        cairn_report_key(out, cairn_map_key(&terms->names, (size_t)terms->list[variable].name)),
        suffix);
    cairn_status status = cairn_text_status(&name);
    if (status == CAIRN_OK)
        status = term_word(out, terms, unifier, term, NULL, cairn_text_string(&name));
    cairn_text_clear(&name);
    return status;
}

static const char *variable_name(const cairn_terms *terms, uint32_t term)
{
    return cairn_map_key(&terms->names, (size_t)terms->list[term].name);
}

/* -- the work -- */

typedef struct equation {
    uint32_t left, right;
} equation;

typedef struct tracing {
    cairn_terms *terms;
    uint32_t *stands_for; /* of each variable what it is bound to; itself = free */
    equation *open;       /* a stack */
    size_t n_open, capacity;
} tracing;

static uint32_t walk(const tracing *t, uint32_t term)
{
    while (t->stands_for[term] != term) term = t->stands_for[term];
    return term;
}

/* What unification does with one equation; false when it cannot be made true. */
static cairn_status solve_one(tracing *t, uint32_t a, uint32_t b, const char **what, bool *possible)
{
    const cairn_term *left = &t->terms->list[a], *right = &t->terms->list[b];
    *possible = true;
    if (a == b) {
        *what = "equal already";
    } else if (left->variable || right->variable) {
        *what = left->variable ? "the left variable stands for the right side"
                               : "the right variable stands for the left side";
        t->stands_for[left->variable ? a : b] = left->variable ? b : a;
    } else if (left->name != right->name || left->n_arguments != right->n_arguments) {
        *what = "different symbols: no";
        *possible = false;
    } else {
        *what = "the same symbol: the arguments, one by one";
        CHECK(GROW(t->terms->ctx, &t->open, &t->capacity, t->n_open + left->n_arguments));
        for (uint32_t i = left->n_arguments; i-- > 0;)
            t->open[t->n_open++] = (equation){t->terms->arguments[left->first + i],
                                              t->terms->arguments[right->first + i]};
    }
    return CAIRN_OK;
}

/* Robinson's algorithm, equation by equation, as far as the table is shown. */
static cairn_status trace_equations(cairn_report *out, tracing *t)
{
    bool possible = true;
    cairn_report_table_of(out, "Equations, one after the other", 0, "rlcll", "", "left", "",
                          "right", "");
    for (size_t number = 1; t->n_open && possible && cairn_report_row_wanted(out); number++) {
        equation e = t->open[--t->n_open];
        uint32_t a = walk(t, e.left), b = walk(t, e.right);
        char name[40];
        const char *what;
        CHECK(solve_one(t, a, b, &what, &possible));
        cairn_report_cellf(out, "%zu", number);
        snprintf(name, sizeof name, "equation%zu.left", number);
        CHECK(term_word(out, t->terms, NULL, a, NULL, name));
        cairn_report_cell(out, "=");
        snprintf(name, sizeof name, "equation%zu.right", number);
        CHECK(term_word(out, t->terms, NULL, b, NULL, name));
        cairn_report_cell(out, what);
    }
    return CAIRN_OK;
}

static cairn_status work(cairn_report *out, cairn_terms *terms, const uint32_t *list, size_t n)
{
    tracing t = {.terms = terms};
    cairn_status status;
    TRY(SCRATCH(terms->ctx, &t.stands_for, terms->n));
    TRY(GROW(terms->ctx, &t.open, &t.capacity, n));
    for (uint32_t i = 0; i < terms->n; i++) t.stands_for[i] = i;
    for (size_t k = n; k-- > 1;) t.open[t.n_open++] = (equation){list[0], list[k]};
    cairn_report_step_begin(out, "Solving equations");
    status = trace_equations(out, &t);
    cairn_report_step_end(out);
done:
    cairn_free(t.open);
    return status;
}

/* Variables that stand for themselves are left out; terms without a unifier are given the first
 * clash. */
static cairn_status show_unifier(cairn_report *out, cairn_terms *terms, const uint32_t *list,
                                 size_t n, bool occurs_check)
{
    cairn_unifier u;
    CHECK(cairn_terms_unify(terms, &u, list, n, occurs_check));
    cairn_report_heading(out, 2, "Unification: the most general common instance");
    cairn_report_word(out, "unifiable", u.unified ? "yes" : "no", "unifiable");
    if (!u.unified) {
        cairn_report_word(out, "because", u.reason, "reason");
        return CAIRN_OK;
    }
    cairn_report_table_of(out, "Most general unifier", 200, "ll", "variable", "stands for");
    for (uint32_t i = 0; i < terms->n && cairn_report_row_wanted(out); i++) {
        uint32_t root = i;
        while (u.parent[root] != root) root = u.parent[root];
        if (!terms->list[i].variable || u.schema[root] == i) continue;
        cairn_report_cell(out, variable_name(terms, i));
        CHECK(keyed_cell(out, terms, &u, i, "mgu.", i, ""));
    }
    return term_word(out, terms, &u, list[0], "common instance", "unification");
}

/* The generalisation of the first terms, after each of them. */
static cairn_status trace_generalisation(cairn_report *out, cairn_terms *terms,
                                         const uint32_t *list, size_t n)
{
    cairn_report_table_of(out, "After each term", 20, "rl", "term", "generalisation");
    for (size_t k = 1; k <= n && cairn_report_row_wanted(out); k++) {
        SCOPED_SCRATCH(terms->ctx);
        uint32_t general;
        cairn_generalised *variables;
        size_t n_variables;
        char name[40];
        CHECK(cairn_terms_generalise(terms, &general, &variables, &n_variables, list, k));
        snprintf(name, sizeof name, "anti_unification.after%zu", k);
        cairn_report_cellf(out, "%zu", k);
        CHECK(term_word(out, terms, NULL, general, NULL, name));
    }
    return CAIRN_OK;
}

/* Where the terms differ a variable stands, the same one for the same differences. */
static cairn_status show_generalisation(cairn_report *out, cairn_terms *terms, const uint32_t *list,
                                        size_t n)
{
    uint32_t general;
    cairn_generalised *variables;
    size_t n_variables;
    char suffix[32];
    CHECK(cairn_terms_generalise(terms, &general, &variables, &n_variables, list, n));
    cairn_report_heading(out, 2, "Anti-unification: the least general generalisation");
    if (n > 2) CHECK(trace_generalisation(out, terms, list, n));
    if (n_variables && n <= 8) {
        cairn_report_table_of(out, "Where the terms differ", 200, "l", "variable");
        for (size_t k = 0; k < n; k++) {
            snprintf(suffix, sizeof suffix, "in term %zu", k + 1);
            cairn_report_column(out, suffix, 'l');
        }
        for (size_t i = 0; i < n_variables && cairn_report_row_wanted(out); i++) {
            cairn_report_cell(out, variable_name(terms, variables[i].variable));
            for (size_t k = 0; k < n; k++) {
                snprintf(suffix, sizeof suffix, ".%zu", k + 1);
                CHECK(keyed_cell(out, terms, NULL, variables[i].stands_for[k], "lgg.",
                                 variables[i].variable, suffix));
            }
        }
    }
    CHECK(term_word(out, terms, NULL, general, "generalisation", "anti_unification"));
    if (terms->list[general].variable && n_variables)
        cairn_report_note(out, "The outermost symbols differ: as atoms the terms have no common "
                               "generalisation.");
    return CAIRN_OK;
}

/* Which initials are variables differs between books; the title says how the terms were read. */
static cairn_status unify_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const unify_params *p = job->params;
    SCOPED(cairn_terms_clear) cairn_terms terms = {.ctx = ctx, .upper = p->vars == 1};
    uint32_t *list;
    size_t n;
    CHECK(read_all(&terms, &list, &n, p));
    cairn_report_heading(out, 1, "%zu terms", n);
    cairn_report_table_of(out,
                          p->vars == 1 ? "Terms (capital initial = variable)"
                                       : "Terms (small initial = variable)",
                          20, "rl", "term", "");
    for (size_t i = 0; i < n && cairn_report_row_wanted(out); i++) {
        char name[32];
        snprintf(name, sizeof name, "term%zu", i + 1);
        cairn_report_cellf(out, "%zu", i + 1);
        CHECK(term_word(out, &terms, NULL, list[i], NULL, name));
    }
    if (job->steps) CHECK(work(out, &terms, list, n));
    CHECK(show_unifier(out, &terms, list, n, p->occurs_check));
    return show_generalisation(out, &terms, list, n);
}

const cairn_calculator cairn_compute_unify = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "unify",
              .also = "unification, anti-unification, most general unifier",
              .about = "first-order logic",
              .title = "Unification and anti-unification",
              .summary =
                  "What first-order terms or atoms have in common, in both directions: the most "
                  "general unifier with their most general common instance, or the reason why "
                  "there is none, and the least general generalisation, in which the same pair of "
                  "differing subterms becomes the same variable.",
              .references = "Robinson: A machine-oriented logic based on the resolution principle, "
                            "JACM 12, 1965; Plotkin: A note on inductive generalization, 1970; "
                            "Reynolds: Transformational systems, 1970",
              .example = "cairn compute unify --terms 'BodyPart(x, PairOf(Gill)); "
                         "BodyPart(Dolphin42, PairOf(y))'",
              .params = unify_table,
              .params_size = sizeof(unify_params)},
    .arguments = "",
    .run = unify_run,
};
