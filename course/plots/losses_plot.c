/* SPDX-License-Identifier: MIT */
/* Losses against the margin. The 0-1 loss jumps: its two pieces are drawn apart. */
#include "plots/losses_plot.h"

#include "stats/losses.h"

#include <math.h>

enum { STEPS = 200 };

static void draw_loss(cairn_figure *f, cairn_loss loss, double log_base, double low, double high)
{
    double x[STEPS + 2], y[STEPS + 2];
    for (int i = 0; i <= STEPS; i++) {
        x[i] = low + (high - low) * i / STEPS;
        y[i] = cairn_margin_loss(loss, x[i], log_base);
        if (y[i] > 4) y[i] = NAN;
    }
    if (loss == CAIRN_LOSS_ZERO_ONE && low < 0 && high > 0) {
        const double sx[5] = {low, 0, NAN, 0, high}, sy[5] = {1, 1, NAN, 0, 0};
        cairn_figure_line(f, cairn_loss_title(loss), sx, sy, 5);
        return;
    }
    cairn_figure_line(f, cairn_loss_title(loss), x, y, STEPS + 1);
}

cairn_status cairn_plot_losses(cairn_context *ctx, cairn_figure **out, double log_base, double low,
                               double high)
{
    cairn_figure *figure;
    cairn_status status = cairn_figure_new(ctx, &figure, "losses", "Losses of the margin");
    if (status) return status;
    cairn_figure_axes(figure, "margin z = class · score", "loss");
    cairn_figure_x_range(figure, low, high);
    cairn_figure_y_range(figure, 0, 4);
    for (int l = 0; l < CAIRN_N_LOSSES; l++) draw_loss(figure, (cairn_loss)l, log_base, low, high);
    cairn_figure_rule_x(figure, NULL, 0);
    *out = figure;
    return CAIRN_OK;
}
