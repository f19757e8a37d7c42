/* SPDX-License-Identifier: MIT */
/* The pass is written node by node, as it is done by hand, and not through the products that a
 * learner uses: sums that are nothing but rounding have to be 0 for units with a jump. */
#include "compute/networks/forward.h"

#include "base/file.h"
#include "base/memory.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Layers get the conventions that were chosen; their nodes are counted. */
static void end_reading(cairn_forward *f, const cairn_unit_options *options)
{
    f->reject = options->at_zero == CAIRN_JUMP_REJECT;
    for (size_t l = 0; l < f->text.layers.n; l++) {
        cairn_unit_adapt(&f->text.layers.list[l].activation, options);
        f->n_nodes += f->text.layers.list[l].n_out;
    }
}

cairn_status cairn_forward_of_model(cairn_context *ctx, cairn_forward *out,
                                    const cairn_model *model)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    if (!model->learner || strcmp(model->learner->entry.name, "network") != 0)
        return cairn_fail(ctx, CAIRN_USAGE, "the model is one of %s, not of network",
                          model->learner ? model->learner->entry.name : "transforms");
    const cairn_job job = cairn_model_job(model);
    model->learner->forms[0].write(&text, model->state, &job);
    CHECK(cairn_text_status(&text));
    const cairn_given given = {"the model", cairn_text_string(&text), text.length};
    *out = (cairn_forward){0};
    CHECK(cairn_neural_text_read(ctx, &out->text, &given, NULL, 0));
    end_reading(out, &(cairn_unit_options){.saturate = true});
    return CAIRN_OK;
}

cairn_status cairn_forward_read(cairn_context *ctx, cairn_forward *out, const char *network,
                                const cairn_unit_options *options)
{
    OWNED(cairn_free) char *text = NULL;
    cairn_given given = {"the network", network, strlen(network)};
    *out = (cairn_forward){0};
    if (!*network)
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "{network} is empty; type a line for every node, such as 'o = 0.5 + 2*x', "
            "or name a file with them");
    if (!strchr(network, '=')) {
        CHECK(cairn_file_read_all(ctx, network, &text, &given.length));
        given.name = network;
        given.text = text;
    }
    CHECK(cairn_neural_text_read(ctx, &out->text, &given, NULL, 0));
    end_reading(out, options);
    return CAIRN_OK;
}

cairn_status cairn_forward_row(cairn_context *ctx, const cairn_forward *f, const double *x,
                               const char *row, double *nets, double *outs)
{
    const double *in = x;
    for (size_t l = 0; l < f->text.layers.n; l++) {
        const cairn_neural_layer *layer = &f->text.layers.list[l];
        /* A layer: its outputs from those of the layer before it. */
        for (size_t j = 0; j < layer->n_out; j++) {
            const double *w = f->text.weights + layer->first + j * (layer->n_in + 1);
            nets[j] = cairn_unit_net(w, in, layer->n_in, w[layer->n_in]);
        }
        cairn_activate_layer(&layer->activation, nets, layer->n_out, outs);
        for (size_t j = 0; j < layer->n_out; j++)
            if (isnan(nets[j]) || (f->reject && nets[j] == 0 && !layer->activation.f->together))
                outs[j] =
                    isnan(nets[j]) ? NAN : cairn_unit_value(&layer->activation, true, nets[j]);
        for (size_t j = 0; j < layer->n_out; j++)
            if (!f->reject || isinf(nets[j])) CHECK(cairn_unit_check(ctx, nets[j], row));
        in = outs;
        nets += layer->n_out;
        outs += layer->n_out;
    }
    return CAIRN_OK;
}

static cairn_status work_node(cairn_context *ctx, cairn_report *out, const cairn_forward *f,
                              size_t l, size_t j, const double *in, const double *nets,
                              const double *outs)
{
    const cairn_neural_layer *layer = &f->text.layers.list[l];
    const double *w = f->text.weights + layer->first + j * (layer->n_in + 1);
    char label[120];
    const char *node = f->text.names.nodes[l][j];
    snprintf(label, sizeof label, "net(%.80s)", node);
    CHECK(cairn_unit_work_net(ctx, out, label, w, in, layer->n_in, w[layer->n_in]));
    snprintf(label, sizeof label, "out(%.80s)", node);
    if (layer->activation.f->together)
        cairn_report_worked(out, label, "e^# / Σ e^net of the layer = #", nets[j], outs[j]);
    else if (isnan(outs[j]))
        cairn_report_paragraph(out, "%s gives no output.", node);
    else
        cairn_unit_work_output(out, label, &layer->activation, nets[j], outs[j]);
    return CAIRN_OK;
}

cairn_status cairn_forward_work(cairn_context *ctx, cairn_report *out, const cairn_forward *f,
                                const double *x, const double *nets, const double *outs)
{
    const double *in = x;
    for (size_t l = 0; l < f->text.layers.n; l++) {
        const cairn_neural_layer *layer = &f->text.layers.list[l];
        for (size_t j = 0; j < layer->n_out; j++)
            CHECK(work_node(ctx, out, f, l, j, in, nets, outs));
        in = outs;
        nets += layer->n_out;
        outs += layer->n_out;
    }
    return CAIRN_OK;
}
