/* SPDX-License-Identifier: MIT */
#include "plots/skew.h"

#include <math.h>

bool cairn_skew_is(const cairn_sample *s)
{
    double median = cairn_sample_quantile(s, 0.5, CAIRN_QUANTILE_LINEAR);
    double quartile = cairn_sample_quantile(s, 0.75, CAIRN_QUANTILE_LINEAR);
    double above = s->values[s->n - 1] - median;
    return s->n >= 20 && above > 20 * (quartile - median) && above > 4 * (median - s->values[0]);
}

double cairn_skew_cut(cairn_text *below, const cairn_sample *sample)
{
    double most = cairn_sample_quantile(sample, 0.98, CAIRN_QUANTILE_LINEAR);
    size_t beyond = sample->n - cairn_sample_place(sample, most, true);
    cairn_text_addf(below, "skewed: %zu value%s above ", beyond, beyond == 1 ? "" : "s");
    cairn_text_add_number(below, most, 4);
    cairn_text_add(below, ", up to ");
    cairn_text_add_number(below, sample->values[sample->n - 1], 4);
    cairn_text_addf(below, ", %s beyond the frame", beyond == 1 ? "lies" : "lie");
    return most;
}

cairn_status cairn_skew_frame(cairn_context *ctx, cairn_figure *figure, const double *values,
                              size_t n, bool may_log)
{
    SCOPED(cairn_text_clear) cairn_text below = cairn_text_start(ctx);
    const char *under = cairn_figure_subtitle_of(figure);
    cairn_sample sample;
    CHECK(cairn_sample_make(ctx, &sample, values, NULL, n, (cairn_part){NULL, 0}));
    if (!sample.n || !cairn_skew_is(&sample)) return CAIRN_OK;
    cairn_text_addf(&below, "%s%s", under ? under : "", under && *under ? "; " : "");
    if (may_log && sample.values[0] > 0) {
        cairn_text_add(&below, "skewed, so on a logarithmic scale");
        cairn_figure_scales(figure, CAIRN_SCALE_LINEAR, CAIRN_SCALE_LOG);
    } else {
        double most = cairn_skew_cut(&below, &sample);
        double low = fmin(0, sample.values[0]);
        cairn_figure_y_range(figure, low - 0.03 * (most - low), most);
    }
    CHECK(cairn_text_status(&below));
    cairn_figure_subtitle(figure, cairn_text_string(&below));
    return cairn_figure_status(figure);
}
