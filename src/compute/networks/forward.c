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

/* A model is read in the notation in which its learner writes it down. Its inputs are what its
 * transforms make of columns, so that rows do not go through it here. */
static cairn_status read_model(cairn_context *ctx, cairn_neural_text *out, const cairn_given *file,
                               bool models)
{
    OWNED(cairn_model_free) cairn_model *model = NULL;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    CHECK(cairn_model_load_memory(ctx, &model, file->name, file->text, file->length));
    if (!model->learner || strcmp(model->learner->entry.name, "network") != 0)
        return cairn_fail(ctx, CAIRN_USAGE, "%s is no model of network", file->name);
    if (!models)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s is a model, whose inputs are transformed columns; 'predict' takes it "
                          "with rows, and 'export' writes its weights as text",
                          file->name);
    const cairn_job job = cairn_model_job(model);
    model->learner->forms[0].write(&text, model->state, &job);
    CHECK(cairn_text_status(&text));
    const cairn_given given = {file->name, cairn_text_string(&text), text.length};
    return cairn_neural_text_read(ctx, out, &given, NULL, 0);
}

cairn_status cairn_forward_read(cairn_context *ctx, cairn_forward *out, const char *network,
                                const cairn_unit_options *options, bool models)
{
    static const char magic[] = "CAIRNMDL";
    OWNED(cairn_free) char *text = NULL;
    cairn_given given = {"the network", network, strlen(network)};
    *out = (cairn_forward){.reject = options->at_zero == CAIRN_JUMP_REJECT};
    if (!strchr(network, '=')) {
        CHECK(cairn_file_read_all(ctx, network, &text, &given.length));
        given.name = network;
        given.text = text;
    }
    if (text && strncmp(text, magic, strlen(magic)) == 0)
        CHECK(read_model(ctx, &out->text, &given, models));
    else
        CHECK(cairn_neural_text_read(ctx, &out->text, &given, NULL, 0));
    for (size_t l = 0; l < out->text.layers.n; l++) {
        cairn_unit_adapt(&out->text.layers.list[l].activation, options);
        out->n_nodes += out->text.layers.list[l].n_out;
    }
    return CAIRN_OK;
}

/* A layer: its outputs from those of the layer before it. */
static void pass_layer(const cairn_forward *f, const cairn_neural_layer *layer, const double *in,
                       double *nets, double *outs)
{
    for (size_t j = 0; j < layer->n_out; j++) {
        const double *w = f->text.weights + layer->first + j * (layer->n_in + 1);
        nets[j] = cairn_unit_net(w, in, layer->n_in, w[layer->n_in]);
    }
    cairn_activate_layer(&layer->activation, nets, layer->n_out, outs);
    for (size_t j = 0; j < layer->n_out; j++)
        if (isnan(nets[j]) || (f->reject && nets[j] == 0 && !layer->activation.f->together))
            outs[j] = isnan(nets[j]) ? NAN : cairn_unit_value(&layer->activation, true, nets[j]);
}

cairn_status cairn_forward_row(cairn_context *ctx, const cairn_forward *f, const double *x,
                               const char *row, double *nets, double *outs)
{
    const double *in = x;
    for (size_t l = 0; l < f->text.layers.n; l++) {
        const cairn_neural_layer *layer = &f->text.layers.list[l];
        pass_layer(f, layer, in, nets, outs);
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
