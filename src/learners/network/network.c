/* SPDX-License-Identifier: MIT */
/* Feed-forward networks, learned by backpropagation.
 *
 * Problem: weights of layers of neurons, out = f(b + Σ w x), with which the last layer's outputs
 * are near the targets: numbers, or one output for every class.
 *
 * Method: the error of a row is carried back through the layers (stats/layers.c), which gives the
 * slope of E by every weight; the weights move against it after every row, after every mini-batch,
 * or once per epoch by the sum over all rows, with momentum, Nesterov's or Adam's steps or by
 * L-BFGS. The weights of the least error are kept.
 *
 * Choices: unless said otherwise the outputs follow the task (linear for numbers, one sigmoid for
 * two classes, softmax for more) and so does the cost (squares, log loss); number targets of linear
 * outputs are standardised inside and brought back; weights of few rows move after every row in a
 * new random order each epoch, and of 100 rows and more a tenth is held out to end by. The error
 * of an epoch is the mean E of its rows as they were met, so that it costs no further pass.
 *
 * Sources: Rumelhart, Hinton and Williams, Learning representations by back-propagating errors
 * (1986); Glorot and Bengio (2010), He et al. (2015) for the first weights; Kingma and Ba, Adam
 * (2015). */
#include "learners/network/neural.h"
#include "base/memory.h"
#include "data/scaled.h"
#include "model/weights_text.h"
#include <math.h>
#include <string.h>

static const cairn_choice loss_choices[] = {
    {"auto", CAIRN_NEURAL_LOSS_AUTO, "log for classes with sigmoid or softmax, else squares"},
    {"log", CAIRN_NEURAL_LOSS_LOG, "−Σ t ln y; of sigmoids −Σ (t ln y + (1 − t) ln(1 − y))"},
    {"squares", CAIRN_NEURAL_LOSS_SQUARES, "½ Σ (t − y)²"},
    {NULL, 0, NULL},
};
static const cairn_choice bias_choices[] = {
    {"node", CAIRN_NEURAL_BIAS_NODE, "one of every node"},
    {"layer", CAIRN_NEURAL_BIAS_LAYER, "one for all nodes of a layer"},
    {"none", CAIRN_NEURAL_BIAS_NONE, "none at the outputs, one of every hidden node"},
    {NULL, 0, NULL},
};
static const cairn_choice unit_choices[] = {
    {"auto", CAIRN_NEURAL_UNITS_AUTO, "standard with linear outputs, else none"},
    {"none", CAIRN_NEURAL_UNITS_NONE, "as they are"},
    {"standard", CAIRN_NEURAL_UNITS_STANDARD, "mean 0, standard deviation 1"},
    {"ten", CAIRN_NEURAL_UNITS_TEN, "from −10 to 10"},
    {NULL, 0, NULL},
};
static const cairn_choice update_choices[] = {
    {"auto", CAIRN_NEURAL_UPDATE_AUTO, "row for plain steps, epoch for lbfgs, else batch"},
    {"row", CAIRN_NEURAL_ROW, "after every row"},
    {"batch", CAIRN_NEURAL_BATCH, "after every mini-batch, by the mean over its rows"},
    {"epoch", CAIRN_NEURAL_EPOCH, "once per epoch, by the sum over all rows"},
    {NULL, 0, NULL},
};
static const cairn_choice solver_choices[] = {
    {"auto", CAIRN_NEURAL_SOLVER_AUTO, "adam from 100 training rows on, else plain"},
    {"plain", CAIRN_NEURAL_PLAIN, "steps along the gradient"},
    {"momentum", CAIRN_NEURAL_MOMENTUM, "with a part of the step before"},
    {"nesterov", CAIRN_NEURAL_NESTEROV, "momentum that looks ahead"},
    {"adam", CAIRN_NEURAL_ADAM, "steps by the size of each slope"},
    {"lbfgs", CAIRN_NEURAL_LBFGS, "L-BFGS on all rows"},
    {NULL, 0, NULL},
};
static const cairn_choice schedule_choices[] = {
    {"constant", CAIRN_NEURAL_CONSTANT, "η stays"},
    {"decreasing", CAIRN_NEURAL_DECREASING, "η/(1 + epoch/{rate-every})"},
    {"step", CAIRN_NEURAL_STEP, "times {rate-factor} after every {rate-every} epochs"},
    {"adaptive", CAIRN_NEURAL_ADAPTIVE,
     "5 per cent more after an epoch that lowers the error, times {rate-factor} after one that "
     "does not"},
    {NULL, 0, NULL},
};
static const cairn_choice init_choices[] = {
    {"auto", CAIRN_NEURAL_INIT_AUTO, "he for relu, else glorot"},
    {"glorot", CAIRN_NEURAL_INIT_GLOROT, "uniform up to √(6/(inputs + nodes))"},
    {"he", CAIRN_NEURAL_INIT_HE, "uniform up to √(6/inputs)"},
    {"small", CAIRN_NEURAL_INIT_SMALL, "uniform from −0.05 to 0.05"},
    {"normal", CAIRN_NEURAL_INIT_NORMAL, "normal with mean 0 and deviation 1"},
    {NULL, 0, NULL},
};
static const cairn_choice order_choices[] = {
    {"random", CAIRN_NEURAL_SHUFFLED, "a new random order in every epoch"},
    {"given", CAIRN_NEURAL_GIVEN_ORDER, "as they stand in the table"},
    {NULL, 0, NULL},
};

static const cairn_choice precision_choices[] = {
    {"auto", CAIRN_NEURAL_PRECISION_AUTO, "single for mini-batches of large networks"},
    {"double", CAIRN_NEURAL_DOUBLE, "64 bits"},
    {"single", CAIRN_NEURAL_SINGLE, "32 bits, for mini-batches; answers are made with 64"},
    {NULL, 0, NULL},
};

static const cairn_param neural_parameters[] = {
    CAIRN_PARAM_AS(cairn_neural_params, hidden, CAIRN_TYPE_LIST, NULL,
                   "nodes of the hidden layers, such as 4,3; 0 = no hidden layer; unless given 100 "
                   "from 100 training rows on, else 10",
                   .often = true, .when = "!start"),
    CAIRN_PARAM(cairn_neural_params, activation, NULL, NULL,
                "activation function of the hidden layers: one, or one for each; unless given relu "
                "for adam from 100 training rows on, else tanh",
                .often = true, .when = "!start"),
    CAIRN_PARAM(cairn_neural_params, output, NULL, NULL,
                "activation function of the outputs; unless given linear for numbers, sigmoid for "
                "two classes, softmax for more",
                .when = "!start"),
    CAIRN_PARAM_CHOICE(cairn_neural_params, loss, "auto", loss_choices,
                       "how outputs are held against targets"),
    CAIRN_PARAM_CHOICE(cairn_neural_params, biases, "node", bias_choices, "which biases there are"),
    CAIRN_PARAM_CHOICE(cairn_neural_params, target_scale, "auto", unit_choices,
                       "units of number targets inside the network"),
    CAIRN_PARAM_CHOICE(cairn_neural_params, solver, "auto", solver_choices, "how weights move",
                       .often = true),
    CAIRN_PARAM_CHOICE(cairn_neural_params, update, "auto", update_choices, "when weights move",
                       .when = "!solver=lbfgs"),
    CAIRN_PARAM(cairn_neural_params, batch, "32", "[1,1000000]", "rows of a mini-batch",
                .when = "update=batch|auto"),
    CAIRN_PARAM_CHOICE(cairn_neural_params, precision, "auto", precision_choices,
                       "numbers that mini-batches are worked out with",
                       .when = "update=batch|auto,!solver=lbfgs"),
    CAIRN_PARAM(
        cairn_neural_params, eta, CAIRN_NOT_GIVEN, "(0,inf)",
        "learning rate η; unless given 0.01 for adam (0.002 from 100 training rows on), else 0.1 "
        "(0.1(1 − μ) with momentum), or less where rows are long",
        .often = true, .when = "!solver=lbfgs"),
    CAIRN_PARAM(cairn_neural_params, momentum, "0.9", "[0,1)", "part of the step before",
                .when = "solver=momentum|nesterov"),
    CAIRN_PARAM_CHOICE(cairn_neural_params, schedule, "constant", schedule_choices,
                       "how η changes from epoch to epoch", .when = "!solver=lbfgs"),
    CAIRN_PARAM(cairn_neural_params, rate_factor, "0.5", "(0,1)", "factor of η",
                .when = "schedule=step|adaptive"),
    CAIRN_PARAM(cairn_neural_params, rate_every, "10", "[1,1000000]", "epochs of a step of η",
                .when = "schedule=step|decreasing"),
    CAIRN_PARAM(cairn_neural_params, decay, CAIRN_NOT_GIVEN, "[0,inf)",
                "weight decay λ: every step draws the weights towards 0 by η λ w; unless given "
                "0.001 for adam from 100 training rows on, else 0"),
    CAIRN_PARAM(cairn_neural_params, dropout, "0", "[0,1)",
                "share of hidden outputs that is left out of each pass while learning",
                .when = "!solver=lbfgs"),
    CAIRN_PARAM_CHOICE(cairn_neural_params, init, "auto", init_choices, "first weights",
                       .when = "!start"),
    CAIRN_PARAM_AS(cairn_neural_params, start, CAIRN_TYPE_FILE, NULL,
                   "file with the weights to start from, and with them the layers: lines such as "
                   "h1 = sigmoid(0.3 + 0.5*x)"),
    CAIRN_PARAM_CHOICE(cairn_neural_params, order, "random", order_choices, "order of the rows"),
    CAIRN_PARAM(cairn_neural_params, epochs, "200", "[1,1000000]", "most passes over the rows",
                .often = true),
    CAIRN_PARAM(cairn_neural_params, level, "0", "[0,inf)",
                "end when the mean E of an epoch is at most this", .when = "!solver=lbfgs"),
    CAIRN_PARAM(cairn_neural_params, change, "0", "[0,inf)",
                "end when an epoch changes the mean E by less"),
    CAIRN_PARAM(cairn_neural_params, stable, "0", "[0,inf)",
                "end when no weight moves further than this in an epoch", .when = "!solver=lbfgs"),
    CAIRN_PARAM(cairn_neural_params, held, CAIRN_NOT_GIVEN, "[0,1)",
                "share of the rows that is held out, to judge the weights by; unless given 0.1 "
                "from 100 training rows on (of up to 5000 for adam 0.2, to choose the epochs by, "
                "after which all are learned from), else 0",
                .when = "!solver=lbfgs"),
    CAIRN_PARAM(cairn_neural_params, patience, "20", "[0,1000000]",
                "end after so many epochs in which the rows held out were not better; 0 = never",
                .when = "!held=0"),
    CAIRN_PARAM(cairn_neural_params, keep_best, "yes", NULL,
                "keep the weights of the least error, not the last ones", .when = "!solver=lbfgs"),
    CAIRN_PARAM_END,
};

/* -- fitting -- */

/* What nobody said, by the rows: few are learned from one by one by a small network, as it is done
 * by hand. Many can spare some to judge the weights by, without which a network that can learn them
 * by heart does so (docs/defaults.md has the figures). */
static void fill_in(cairn_neural_run *run)
{
    enum { MANY = 100, TOO_MANY = 5000 };
    cairn_neural_params *p = &run->chosen;
    *p = *(const cairn_neural_params *)run->job->params;
    bool many = run->job->view->rows.n >= MANY && run->reason != CAIRN_NEURAL_READ;
    if (p->solver == CAIRN_NEURAL_SOLVER_AUTO)
        p->solver = many ? CAIRN_NEURAL_ADAM : CAIRN_NEURAL_PLAIN;
    bool quick = many && p->solver == CAIRN_NEURAL_ADAM;
    if (!p->hidden) p->hidden = many ? "100" : "10";
    if (!p->activation) p->activation = quick ? "relu" : "tanh";
    if (isnan(p->decay)) p->decay = quick ? 0.001 : 0;
    run->tries = isnan(p->held) && quick && p->keep_best && run->job->view->rows.n <= TOO_MANY;
    if (isnan(p->held)) p->held = many && p->solver != CAIRN_NEURAL_LBFGS ? 0.1 : 0;
    if (run->tries) p->held = 0.2;
    if (isnan(p->eta) && quick) p->eta = 0.002;
    run->params = p;
}

static void clear_account(void *data)
{
    cairn_neural_account *account = data;
    cairn_free(account->history);
    cairn_free(account->held);
    cairn_free(account->absolute);
    *account = (cairn_neural_account){0};
}

static cairn_status keep_account(cairn_context *ctx, cairn_neural_account *account,
                                 cairn_neural_run *run)
{
    size_t n = run->n_history < CAIRN_NEURAL_KEPT ? run->n_history : CAIRN_NEURAL_KEPT;
    account->epochs = run->n_history;
    account->n_history = n;
    const double *held = run->tried ? run->tried : run->held;
    account->n_held = run->n_held || run->tried ? n : 0;
    account->n_updates = run->steps_taken;
    account->best = run->kept;
    account->reason = (size_t)run->reason;
    account->eta = run->eta;
    CHECK(NEW(ctx, &account->history, n));
    CHECK(NEW(ctx, &account->held, account->n_held));
    memcpy(account->history, run->history, n * sizeof *account->history);
    memcpy(account->held, held, account->n_held * sizeof *account->held);
    account->n_outputs = run->n_out;
    CHECK(NEW(ctx, &account->absolute, run->n_out));
    return cairn_neural_distances(ctx, run, account->absolute, &account->rms, &account->error);
}

/* Rows, training and account of a network whose shape is there. */
static cairn_status train_network(cairn_context *ctx, cairn_neural_run *run)
{
    const cairn_job *job = run->job;
    SCOPED(cairn_neural_floats_close) __attribute__((unused)) cairn_neural_run *opened = run;
    CHECK(cairn_neural_open_rows(ctx, run));
    CHECK(cairn_neural_train(ctx, run));
    if (run->tried && run->reason == CAIRN_NEURAL_EPOCHS) run->reason = CAIRN_NEURAL_CHOSEN;
    if (job->steps) cairn_neural_show_epochs(run);
    if (job->steps) cairn_neural_show_rows(ctx, run);
    return job->account ? keep_account(ctx, job->account, run) : CAIRN_OK;
}

static cairn_status make_network(cairn_context *ctx, cairn_neural_run *run,
                                 const cairn_given *given)
{
    const cairn_job *job = run->job;
    cairn_matrix_wish wish = {0};
    CHECK(cairn_matrix_open(ctx, &run->x, job->view, &wish));
    run->n_in = run->x.n_terms;
    CHECK(cairn_term_names(ctx, &run->inputs, job->schema));
    CHECK(cairn_neural_shape(ctx, run, given));
    return train_network(ctx, run);
}

static void neural_clear(void *model);

/* Of a table that is not large every row is worth learning from: a fifth is held out from a network
 * that is thrown away, to know after how many epochs it is best. */
static cairn_status choose_epochs(cairn_context *ctx, cairn_neural_run *run)
{
    SCOPED(neural_clear) cairn_neural_model model = {0};
    cairn_job job = *run->job;
    cairn_neural_run trial = *run;
    cairn_log_function log = ctx->log;
    job.steps = NULL;
    job.account = NULL;
    trial.job = &job;
    trial.model = &model;
    trial.params = &trial.chosen;
    ctx->log = NULL; /* the network that stays says the same */
    cairn_status status = make_network(ctx, &trial, NULL);
    ctx->log = log;
    CHECK(status);
    if (trial.reason == CAIRN_NEURAL_DIVERGED) return CAIRN_OK; /* which will be told */
    run->chosen.epochs = trial.kept ? (int)trial.kept : 1;
    run->chosen.held = 0;
    run->chosen.keep_best = false;
    run->tried = trial.held;
    return CAIRN_OK;
}

static cairn_status neural_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_neural_run run = {.job = job, .model = model};
    fill_in(&run);
    if (run.tries) CHECK(choose_epochs(ctx, &run));
    return make_network(ctx, &run, NULL);
}

static cairn_status neural_read(cairn_context *ctx, void *model, const cairn_job *job,
                                const cairn_given *given)
{
    cairn_neural_run run = {.job = job, .model = model};
    run.reason = CAIRN_NEURAL_READ;
    fill_in(&run);
    return make_network(ctx, &run, given);
}

/* Further rows: the weights go on from where they are, in the units that they have. */
static cairn_status neural_update(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_neural_run run = {.job = job, .model = model};
    cairn_matrix_wish wish = {0};
    const cairn_neural_target *lead;
    fill_in(&run);
    run.again = run.begun = true;
    run.cost = (cairn_neural_cost)run.model->cost;
    run.n_out = cairn_neural_layers_last(&run.model->layers)->n_out;
    CHECK(cairn_matrix_open(ctx, &run.x, job->view, &wish));
    run.n_in = run.x.n_terms;
    CHECK(cairn_neural_model_targets(ctx, &run.list, &run.n_targets, job->schema,
                                     &run.model->layers, &lead));
    if (!lead || run.n_in != run.model->layers.n_in)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the new rows have a class or a column that the network has no node for; "
                          "fit it again on all rows");
    CHECK(cairn_term_names(ctx, &run.inputs, job->schema));
    CHECK(cairn_neural_node_names(ctx, &run.nodes, &run.model->layers, run.inputs));
    if (job->account) clear_account(job->account);
    return train_network(ctx, &run);
}

/* -- keeping -- */

/* A layer: its nodes, and its function by name with the parameters that this one has. */
static cairn_status archive_layer(cairn_archive *a, cairn_neural_layer *layer)
{
    bool reading = cairn_archive_reading(a);
    char *name = NULL;
    double *p = layer->activation.p;
    cairn_status status;
    if (!reading) name = (char *)(uintptr_t)layer->activation.f->name;
    TRY(cairn_archive_size(a, "n_out", &layer->n_out, UINT32_MAX));
    TRY(cairn_archive_text(a, "activation", &name));
    if (reading) layer->activation = cairn_activation_named(name ? name : "");
    if (!layer->activation.f || !layer->n_out)
        TRY(cairn_archive_damaged(a, "a layer has no nodes, or no function that is known"));
    for (size_t i = 0; layer->activation.f->params[i].name; i++)
        TRY(cairn_archive_real(a, "parameter", &p[i]));
    if (cairn_activation_fault(&layer->activation))
        TRY(cairn_archive_damaged(a, "a function has parameters that it cannot have"));
done:
    if (reading) cairn_free(name);
    return status;
}

/* The layers come first: they say how many weights follow. */
static cairn_status neural_archive(cairn_archive *a, void *model)
{
    cairn_neural_model *m = model;
    cairn_context *ctx = cairn_archive_context(a);
    CHECK(cairn_archive_size(a, "n_layers", &m->layers.n, 1000));
    CHECK(cairn_archive_size(a, "n_in", &m->layers.n_in, UINT32_MAX));
    if (!m->layers.n) CHECK(cairn_archive_damaged(a, "the network has no layers"));
    if (cairn_archive_reading(a)) CHECK(NEW(ctx, &m->layers.list, m->layers.n));
    for (size_t l = 0; l < m->layers.n; l++) CHECK(archive_layer(a, &m->layers.list[l]));
    if (cairn_archive_reading(a)) cairn_neural_layers_place(&m->layers);
    size_t n_out = cairn_neural_layers_last(&m->layers)->n_out;
    CHECK(cairn_archive_int(a, "biases", &m->biases));
    CHECK(cairn_archive_int(a, "cost", &m->cost));
    CHECK(cairn_archive_real(a, "low", &m->low));
    CHECK(cairn_archive_real(a, "high", &m->high));
    CHECK(cairn_archive_reals(a, "shift", &m->shift, n_out));
    CHECK(cairn_archive_reals(a, "unit", &m->unit, n_out));
    return cairn_archive_reals(a, "weights", &m->weights, m->layers.n_weights);
}

static cairn_status neural_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_neural_model *m = model;
    cairn_neural_target *list;
    const cairn_neural_target *lead;
    size_t n;
    cairn_context *ctx = cairn_archive_context(a);
    SCOPED_SCRATCH(ctx);
    CHECK(cairn_terms_check(a, job->schema, m->layers.n_in));
    CHECK(cairn_neural_model_targets(ctx, &list, &n, job->schema, &m->layers, &lead));
    if (!lead)
        CHECK(cairn_archive_damaged(a, "the network has another number of outputs than targets"));
    if (!(m->high > m->low)) CHECK(cairn_archive_damaged(a, "the codes of classes are the same"));
    return CAIRN_OK;
}

static void neural_clear(void *model)
{
    cairn_neural_model *m = model;
    cairn_free(m->layers.list);
    cairn_free(m->weights);
    cairn_free(m->shift);
    cairn_free(m->unit);
    *m = (cairn_neural_model){0};
}

static cairn_model_size neural_size(const void *model)
{
    return (cairn_model_size){.parameters = cairn_neural_parameters(model)};
}

static cairn_status archive_account(cairn_archive *a, void *data, const void *model)
{
    cairn_neural_account *account = data;
    (void)model;
    CHECK(cairn_archive_size(a, "epochs", &account->epochs, UINT32_MAX));
    CHECK(cairn_archive_size(a, "n_history", &account->n_history, CAIRN_NEURAL_KEPT));
    CHECK(cairn_archive_size(a, "n_held", &account->n_held, CAIRN_NEURAL_KEPT));
    CHECK(cairn_archive_size(a, "n_updates", &account->n_updates, SIZE_MAX >> 1));
    CHECK(cairn_archive_size(a, "best", &account->best, UINT32_MAX));
    CHECK(cairn_archive_size(a, "reason", &account->reason, CAIRN_NEURAL_REASONS - 1));
    CHECK(cairn_archive_size(a, "n_outputs", &account->n_outputs, UINT32_MAX));
    CHECK(cairn_archive_real(a, "eta", &account->eta));
    CHECK(cairn_archive_real(a, "error", &account->error));
    CHECK(cairn_archive_real(a, "rms", &account->rms));
    CHECK(cairn_archive_reals(a, "history", &account->history, account->n_history));
    CHECK(cairn_archive_reals(a, "held", &account->held, account->n_held));
    return cairn_archive_reals(a, "absolute", &account->absolute, account->n_outputs);
}

static const cairn_account neural_story = {
    .size = sizeof(cairn_neural_account), .archive = archive_account, .clear = clear_account};

static const cairn_output neural_outputs[] = {
    {"targets", "the answers for further targets, a column for each"},
    {NULL, NULL},
};

/* Shares of 1 come from sigmoid and softmax; of a file of weights it is not known before it is
 * read. */
static unsigned neural_traits(const void *params)
{
    const cairn_neural_params *p = params;
    bool shares =
        !p->output || strcmp(p->output, "sigmoid") == 0 || strcmp(p->output, "softmax") == 0;
    unsigned traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING;
    return shares && !p->start ? traits | CAIRN_GIVES_PROBABILITIES : traits;
}

const cairn_learner cairn_neural_network = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "network",
            .also = "neural network, multilayer perceptron, MLP, backpropagation, deep network, "
                    "feed-forward network, artificial neural network, ANN, Adam (solver=adam)",
            .title = "Neural network",
            .summary =
                "Learns layers of neurons by backpropagation: any number of hidden layers, an "
                "activation function for each, one output for every number or class, several "
                "targets at once. The steps show the first updates with every net input, output, "
                "delta, slope and new weight, and check the slopes by small differences. Weights "
                "can be written as text, changed by hand and read again. Steps depend on the size "
                "of the columns, so they are standardised first unless --scale says otherwise.",
            .references =
                "Rumelhart, Hinton and Williams, Learning representations by back-propagating "
                "errors (1986); Kingma and Ba, Adam: a method for stochastic optimization (2015)",
            .example = "cairn fit network @iris --hidden 4,3 --epochs 50",
            .params = neural_parameters,
            .params_size = sizeof(cairn_neural_params),
        },
    .tasks = CAIRN_CLASSIFY | CAIRN_REGRESS,
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_BAGS |
               CAIRN_ACCEPTS_NO_FEATURES | CAIRN_ACCEPTS_TARGETS | CAIRN_WANTS_SCALING |
               CAIRN_ACCEPTS_SCALED,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING |
              CAIRN_GIVES_PROBABILITIES,
    .model_size = sizeof(cairn_neural_model),
    .tables = cairn_neural_tables,
    .account = &neural_story,
    .gives_scores = true,
    .outputs = neural_outputs,
    .fit = neural_fit,
    .read = neural_read,
    .forms = cairn_neural_forms,
    .lower = cairn_neural_lower,
    .predict = cairn_neural_predict,
    .update = neural_update,
    .traits_with = neural_traits,
    .describe = cairn_neural_describe,
    .figures = cairn_neural_figures,
    .archive = neural_archive,
    .check = neural_check,
    .clear = neural_clear,
    .size = neural_size,
};
