/* SPDX-License-Identifier: MIT */
/* Vectors, points and planes as they are typed: see vectors.h. */
#include "typed/vectors.h"

#include "base/text.h"
#include "entry/split.h"
#include "kernels/kernels.h"
#include "rows/matrix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static cairn_status number_name(cairn_context *ctx, const char **out, const char *prefix, size_t i)
{
    char *name;
    CHECK(SCRATCH(ctx, &name, strlen(prefix) + 24));
    snprintf(name, strlen(prefix) + 24, "%s%zu", prefix, i + 1);
    *out = name;
    return CAIRN_OK;
}

/* The name in front of "=", with blanks taken off; the numbers behind it. */
static cairn_status take_name(cairn_context *ctx, const char **name, const char **numbers,
                              const char *part, const char *prefix, size_t i, const char *option)
{
    const char *equals = strchr(part, '=');
    size_t length;
    char *copy;
    *numbers = equals ? equals + 1 : part;
    if (!equals) return number_name(ctx, name, prefix, i);
    while (*part == ' ') part++;
    length = (size_t)(equals - part);
    while (length && part[length - 1] == ' ') length--;
    if (!length)
        return cairn_fail(ctx, CAIRN_USAGE, "{%s}: part %zu has no name in front of '='", option,
                          i + 1);
    CHECK(SCRATCH(ctx, &copy, length + 1));
    memcpy(copy, part, length);
    *name = copy;
    return CAIRN_OK;
}

/* One of the vectors; the first says how long they are. */
static cairn_status read_one(cairn_context *ctx, cairn_vectors *out, const char *option,
                             const char *part, const char *prefix, size_t most)
{
    const char *text;
    double *numbers;
    size_t n;
    CHECK(take_name(ctx, &out->names[out->n], &text, part, prefix, out->n, option));
    for (size_t i = 0; i < out->n; i++)
        if (cairn_same(out->names[i], out->names[out->n]))
            return cairn_fail(ctx, CAIRN_USAGE, "{%s}: the name '%s' is there twice", option,
                              out->names[i]);
    CHECK(cairn_list_numbers(ctx, option, text, &numbers, &n));
    if (!out->n) {
        out->width = n;
        CHECK(SCRATCH(ctx, &out->values, cairn_product(most, n)));
    }
    if (n != out->width)
        return cairn_fail(ctx, CAIRN_USAGE, "{%s}: '%s' has %zu numbers, and '%s' has %zu", option,
                          out->names[out->n], n, out->names[0], out->width);
    for (size_t j = 0; j < n; j++)
        if (!isfinite(numbers[j]))
            return cairn_fail(ctx, CAIRN_USAGE, "{%s}: number %zu of '%s' is not finite", option,
                              j + 1, out->names[out->n]);
    memcpy(out->values + out->n++ * n, numbers, n * sizeof *numbers);
    return CAIRN_OK;
}

cairn_status cairn_read_vectors(cairn_context *ctx, cairn_vectors *out, const char *option,
                                const char *text, const char *prefix)
{
    size_t most = 1;
    *out = (cairn_vectors){0};
    for (const char *at = text; *at; at++) most += *at == ';';
    CHECK(SCRATCH(ctx, &out->names, most));
    for (const char *at = text; *at;) {
        const char *end = cairn_split_next(at, ';');
        char *part;
        CHECK(SCRATCH(ctx, &part, (size_t)(end - at) + 1));
        memcpy(part, at, (size_t)(end - at));
        if (strspn(part, " ") < strlen(part)) CHECK(read_one(ctx, out, option, part, prefix, most));
        at = *end ? end + 1 : end;
    }
    if (!out->n || !out->width)
        return cairn_fail(ctx, CAIRN_USAGE, "{%s}: there are no numbers; type 1,2;3,4", option);
    return CAIRN_OK;
}

/* -- rows of a table -- */

/* Features that hold numbers; the others are counted. */
static cairn_status number_features(cairn_context *ctx, cairn_class_points *out,
                                    const cairn_view *view, size_t **chosen, const char *what)
{
    size_t p = 0;
    CHECK(SCRATCH_EACH(ctx, view->n_features, chosen, &out->columns));
    for (size_t j = 0; j < view->n_features; j++) {
        if (view->features[j]->kind != CAIRN_NUMBER) continue;
        out->columns[p] = view->names[j];
        (*chosen)[p++] = j;
    }
    out->points.width = p;
    out->n_other = view->n_features - p;
    if (!p)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "'%s' needs number columns as coordinates, and there is none; make "
                          "numbers of levels by {with indicators}",
                          what);
    return CAIRN_OK;
}

/* Coordinates of one row. */
static cairn_status read_row(cairn_context *ctx, double *x, const cairn_view *view,
                             const size_t *chosen, size_t p, size_t row, const char *what)
{
    for (size_t j = 0; j < p; j++) {
        x[j] = view->features[chosen[j]]->numbers[row];
        CHECK(cairn_need_finite(ctx, what, view->names[chosen[j]], row, x[j]));
    }
    return CAIRN_OK;
}

cairn_status cairn_class_points_read(cairn_context *ctx, cairn_class_points *out,
                                     const cairn_table *table, bool classes, const char *what)
{
    cairn_view view;
    size_t *chosen, n = 0;
    *out = (cairn_class_points){0};
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    if (classes && !view.target)
        return cairn_fail(ctx, CAIRN_USAGE, "'%s' needs classes; name their column with {target}",
                          what);
    CHECK(number_features(ctx, out, &view, &chosen, what));
    if (view.target && classes) CHECK(cairn_read_classes(ctx, &out->classes, &view, what));
    CHECK(SCRATCH(ctx, &out->points.values, cairn_product(view.rows.n, out->points.width)));
    CHECK(cairn_row_names(ctx, table, &out->points.names));
    for (size_t i = 0; i < view.rows.n; i++) {
        double *x = out->points.values + n * out->points.width;
        if (out->classes.n && out->classes.codes[i] < 0) continue;
        CHECK(read_row(ctx, x, &view, chosen, out->points.width, i, what));
        out->points.names[n] = out->points.names[i];
        if (out->classes.n) out->classes.codes[n] = out->classes.codes[i];
        n++;
    }
    out->points.n = n;
    out->n_left_out = view.rows.n - n;
    if (!n) return cairn_fail(ctx, CAIRN_BAD_DATA, "'%s': there is no row to work on", what);
    return CAIRN_OK;
}

/* -- planes -- */

double cairn_plane_value(const double *plane, const double *point, size_t p)
{
    return cairn_dot(plane, point, p) + plane[p];
}

double cairn_plane_norm(const double *plane, size_t p)
{
    double largest = 0, sum = 0;
    for (size_t j = 0; j < p; j++) largest = fmax(largest, fabs(plane[j]));
    if (largest == 0) return 0;
    for (size_t j = 0; j < p; j++) sum += plane[j] / largest * (plane[j] / largest);
    return largest * sqrt(sum);
}

cairn_status cairn_planes_read(cairn_context *ctx, cairn_vectors *out, const char *option,
                               const char *lines, const char *prefix)
{
    char *joined;
    *out = (cairn_vectors){0};
    if (!lines) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &joined, strlen(lines) + 1));
    for (size_t i = 0; lines[i]; i++) joined[i] = lines[i] == '\n' ? ';' : lines[i];
    return cairn_read_vectors(ctx, out, option, joined, prefix);
}

cairn_status cairn_planes_check(cairn_context *ctx, const cairn_vectors *planes, size_t p,
                                const char *option)
{
    if (planes->width != p + 1)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{%s}: points with %zu coordinate%s need %zu coefficients, one for each "
                          "coordinate and the constant at the end; there are %zu",
                          option, p, p == 1 ? "" : "s", p + 1, planes->width);
    for (size_t k = 0; k < planes->n; k++)
        if (!(cairn_plane_norm(cairn_plane(planes, k), p) > 0))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{%s}: the coefficients of '%s' in front of the constant are all 0, "
                              "which is no plane",
                              option, planes->names[k]);
    return CAIRN_OK;
}

void cairn_add_plane(cairn_text *text, const double *plane, const char *const *columns, size_t p)
{
    bool any = false;
    for (size_t j = 0; j < p; j++)
        if (plane[j] != 0) cairn_add_term(text, &any, plane[j], columns[j], true);
    if (!any || plane[p] != 0) cairn_add_term(text, &any, plane[p], NULL, false);
    cairn_text_add(text, " = 0");
}

cairn_status cairn_coordinate_names(cairn_context *ctx, const char ***out, size_t p)
{
    CHECK(SCRATCH(ctx, out, p));
    for (size_t j = 0; j < p; j++) {
        if (p <= 2)
            (*out)[j] = j ? "y" : "x";
        else
            CHECK(number_name(ctx, &(*out)[j], "x", j));
    }
    return CAIRN_OK;
}
