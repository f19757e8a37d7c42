/* SPDX-License-Identifier: MIT */
/* cairn draw dartboard: bias and variance as four boards. The middle of a board is what is to be
 * learned, a dart is what a learner says after one training sample: how far their mean lies from
 * the middle is the bias, how far they lie apart the variance. */
#include "pictures/picture.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/random.h"

#include <stdio.h>

enum { BOARDS = 4, RINGS = 4, ROUND = 96 };

typedef struct dartboard_params {
    int darts;
    double bias, narrow, wide;
} dartboard_params;

static const cairn_param dartboard_table[] = {
    CAIRN_PARAM(dartboard_params, darts, "10", "[1,200]", "darts of each board: training samples",
                .often = true),
    CAIRN_PARAM(dartboard_params, bias, "2", "[0,4]",
                "distance from the middle where there is a bias; a ring is 1 wide", .often = true),
    CAIRN_PARAM(dartboard_params, narrow, "0.3", "(0,2]",
                "deviation of the darts, across and upwards, where the variance is low"),
    CAIRN_PARAM(dartboard_params, wide, "1", "(0,2]", "the same where it is high"),
    CAIRN_PARAM_END,
};

/* A ring in two shades of grey, the outer ones first, so that inner ones lie on them. */
static void draw_rings(cairn_figure *figure)
{
    double x[ROUND], y[ROUND];
    for (int ring = RINGS; ring > 0; ring--) {
        for (int i = 0; i < ROUND; i++) {
            double turn = 6.28318530717958647692 * i / ROUND;
            x[i] = ring * cairn_cos(turn);
            y[i] = ring * cairn_sin(turn);
        }
        cairn_figure_face(figure, -1, ring % 2 ? 0.25 : 0.1, x, y, ROUND);
    }
}

/* One board, its darts by a stream of random numbers of its own. */
static cairn_status draw_board(cairn_context *ctx, cairn_figure **out, const dartboard_params *p,
                               bool biased, bool spread, size_t number)
{
    cairn_random random;
    double *x, *y, mean[2] = {0, 0};
    char title[80];
    size_t n = (size_t)p->darts;
    CHECK(SCRATCH_EACH(ctx, n, &x, &y));
    cairn_random_start(&random, cairn_context_seed(ctx), number);
    for (size_t i = 0; i < n; i++) {
        double deviation = spread ? p->wide : p->narrow;
        x[i] = (biased ? p->bias * 0.8 : 0) + deviation * cairn_random_normal(&random);
        y[i] = (biased ? p->bias * 0.6 : 0) + deviation * cairn_random_normal(&random);
        mean[0] += x[i] / (double)n, mean[1] += y[i] / (double)n;
    }
    snprintf(title, sizeof title, "%s bias, %s variance", biased ? "high" : "low",
             spread ? "high" : "low");
    CHECK(cairn_figure_new(ctx, out, "board", title));
    cairn_figure_no_axes(*out);
    cairn_figure_equal_axes(*out);
    draw_rings(*out);
    cairn_figure_points(*out, x, y, NULL, n, NULL, 0);
    cairn_figure_mark(*out, NULL, mean[0], mean[1]);
    cairn_figure_x_range(*out, -RINGS - 0.6, RINGS + 0.6);
    cairn_figure_y_range(*out, -RINGS - 0.6, RINGS + 0.6);
    cairn_figure_size(*out, 300, 300);
    return CAIRN_OK;
}

/* Variance grows to the right, bias downwards. */
static cairn_status dartboard_draw(cairn_context *ctx, cairn_figure **out,
                                   const cairn_compute_job *job)
{
    CHECK(cairn_figure_new(ctx, out, "dartboard", "Bias and variance: darts and their mean"));
    for (size_t i = 0; i < BOARDS; i++) {
        cairn_figure *board = NULL;
        CHECK(draw_board(ctx, &board, job->params, i / 2, i % 2, i));
        cairn_figure_panel(*out, board);
    }
    cairn_figure_columns(*out, 2);
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_dartboard = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "dartboard",
                .also = "bias and variance, dartboard metaphor, targets of bias and variance",
                .title = "Bias and variance as darts",
                .summary =
                    "Four boards: low and high bias, low and high variance. The middle is what is "
                    "to be learned, each dart what a learner says after another training sample, "
                    "and a mark is their mean: its distance from the middle is the bias. 'compute "
                    "bias-variance' measures both of a learner.",
                .example = "cairn draw dartboard --out dartboard.svg",
                .params = dartboard_table,
                .params_size = sizeof(dartboard_params)},
    .arguments = "",
    .draw = dartboard_draw,
};
