/* SPDX-License-Identifier: MIT */
/* cairn draw scheme: the block schemes by which learning is explained, as boxes and arrows. Each
 * is a table of boxes in a plane of 100 units across, with the lines that join them. */
#include "pictures/picture.h"

#include "base/text.h"

#include <string.h>

enum { MOST_LINES = 4, MOST_ENDS = 6 };

#define UNIT   6.6 /* points */
#define LINE   2.9 /* units from a line of text to the next */
#define CORNER 0.9 /* of a box that is cut off */

/* A box around its middle; its text has several lines. Group -1 is grey, others have the colours of
 * groups: 0 what learns, 1 what is given, 2 what is judged. */
typedef struct block {
    double x, y, width, height;
    int group;
    const char *text;
} block;

/* A line through its ends, with a word beside its middle; it ends in an arrow. */
typedef struct wire {
    int n;
    double x[MOST_ENDS], y[MOST_ENDS];
    const char *word; /* NULL = none */
    double word_x, word_y;
} wire;

typedef struct scheme {
    const char *name, *title, *about;
    double height;
    const block *blocks;
    size_t n_blocks;
    const wire *wires;
    size_t n_wires;
} scheme;

enum { LEARNS, GIVEN, JUDGED };

typedef struct scheme_params {
    bool words;
} scheme_params;

static const cairn_param scheme_table[] = {
    CAIRN_PARAM(scheme_params, words, "yes", NULL, "words beside the arrows"),
    CAIRN_PARAM_END,
};

/* -- what there is -- */

static const block training_blocks[] = {
    {10, 50, 17, 9, GIVEN, "training rows\nx"},
    {37, 50, 19, 9, LEARNS, "rule F\nits parameters"},
    {65, 50, 15, 9, -1, "answer\nF(x)"},
    {89, 50, 17, 9, JUDGED, "difference\nu − F(x)"},
    {89, 67, 17, 9, GIVEN, "target\nu"},
    {10, 14, 17, 9, GIVEN, "test rows\nx"},
    {37, 14, 19, 9, LEARNS, "the rule found\nit stays"},
    {65, 14, 15, 9, -1, "answer\nF(x)"},
    {89, 14, 17, 9, JUDGED, "difference\nu − F(x)"},
    {89, 31, 17, 9, GIVEN, "target\nu"},
};
static const wire training_wires[] = {
    {2, {18.5, 27.5}, {50, 50}, NULL, 0, 0},
    {2, {46.5, 57.5}, {50, 50}, NULL, 0, 0},
    {2, {72.5, 80.5}, {50, 50}, NULL, 0, 0},
    {2, {89, 89}, {62.5, 54.5}, NULL, 0, 0},
    {4, {89, 89, 37, 37}, {45.5, 38, 38, 45.5}, "makes the difference less", 63, 38.7},
    {2, {18.5, 27.5}, {14, 14}, NULL, 0, 0},
    {2, {46.5, 57.5}, {14, 14}, NULL, 0, 0},
    {2, {72.5, 80.5}, {14, 14}, NULL, 0, 0},
    {2, {89, 89}, {26.5, 18.5}, NULL, 0, 0},
    {2, {37, 37}, {45.5, 18.5}, "as it was found", 26.5, 29},
};

static const block parts_blocks[] = {
    {22, 48, 38, 9, LEARNS, "training part\nparameters are fitted"},
    {57, 48, 24, 9, -1, "validation part\nsettings are chosen"},
    {87, 48, 22, 9, JUDGED, "test part\nasked once"},
    {22, 28, 30, 9, LEARNS, "a model for each setting"},
    {57, 28, 24, 9, -1, "the best of them"},
    {87, 28, 22, 9, JUDGED, "its error on new\nrows, estimated"},
};
static const wire parts_wires[] = {
    {2, {22, 22}, {43.5, 32.5}, NULL, 0, 0},
    {2, {37, 45}, {28, 28}, NULL, 0, 0},
    {2, {57, 57}, {43.5, 32.5}, NULL, 0, 0},
    {2, {69, 76}, {28, 28}, NULL, 0, 0},
    {2, {87, 87}, {43.5, 32.5}, NULL, 0, 0},
    {4, {57, 57, 22, 22}, {23.5, 17, 17, 23.5}, "fitted again to both parts", 39.5, 17.6},
};

static const block agent_blocks[] = {
    {50, 8, 94, 9, GIVEN, "environment"},
    {22, 56, 24, 9, JUDGED, "critic\nhow good was that?"},
    {74, 56, 28, 9, LEARNS, "learning element\nchanges what is known"},
    {74, 32, 28, 9, -1, "performance element\nperceives, decides, acts"},
    {22, 75, 24, 7, GIVEN, "standard, teacher"},
    {40, 32, 22, 9, -1, "problem generator\nwhat to try"},
};
static const wire agent_wires[] = {
    {2, {22, 22}, {71.5, 60.5}, NULL, 0, 0},
    {2, {14, 14}, {12.5, 51.5}, "percepts", 7.5, 30},
    {2, {34, 60}, {57.5, 57.5}, "feedback", 47, 58},
    {2, {68, 68}, {51.5, 36.5}, "changes", 62.5, 43},
    {2, {80, 80}, {36.5, 51.5}, "knowledge", 86.5, 43},
    {2, {64, 46}, {51.5, 36.5}, "goals", 50, 45},
    {2, {51, 60}, {32, 32}, "tries", 55.5, 32.6},
    {2, {82, 82}, {27.5, 12.5}, "actions", 87, 19},
    {2, {66, 66}, {12.5, 27.5}, "percepts", 60, 19},
};

static const block process_blocks[] = {
    {12, 30, 20, 9, GIVEN, "data\nstored"},
    {38, 30, 22, 9, LEARNS, "abstraction\na model of them"},
    {64, 30, 22, 9, LEARNS, "generalisation\nto new cases"},
    {89, 30, 20, 9, JUDGED, "evaluation\nis it of use?"},
};
static const wire process_wires[] = {
    {2, {22, 27}, {30, 30}, NULL, 0, 0},
    {2, {49, 53}, {30, 30}, NULL, 0, 0},
    {2, {75, 79}, {30, 30}, NULL, 0, 0},
    {4, {89, 89, 12, 12}, {25.5, 17, 17, 25.5}, "other data, another model", 50, 17.6},
};

static const block supervised_blocks[] = {
    {14, 42, 25, 9, GIVEN, "labelled examples\n(x, y)"},
    {50, 42, 22, 9, LEARNS, "learner"},
    {86, 42, 22, 9, -1, "model\nfrom x to y"},
    {50, 20, 22, 9, GIVEN, "new example\nx, without y"},
    {86, 20, 22, 9, JUDGED, "predicted y"},
};
static const wire supervised_wires[] = {
    {2, {26.5, 39}, {42, 42}, NULL, 0, 0},
    {2, {61, 75}, {42, 42}, "training", 68, 42.6},
    {4, {61, 68, 68, 75}, {20, 20, 38.8, 38.8}, "asked", 63.5, 29},
    {2, {86, 86}, {37.5, 24.5}, NULL, 0, 0},
};

static const block recogniser_blocks[] = {
    {11, 44, 17, 9, GIVEN, "spoken word"},
    {35, 44, 22, 9, -1, "signal analysis\nspectra, codes"},
    {63, 66, 23, 9, LEARNS, "model of word 1\nP(O | λ1)"},
    {63, 50, 23, 9, LEARNS, "model of word 2\nP(O | λ2)"},
    {63, 22, 23, 9, LEARNS, "model of word V\nP(O | λV)"},
    {89, 44, 19, 9, JUDGED, "the largest\nnames the word"},
};
static const wire recogniser_wires[] = {
    {2, {19.5, 24}, {44, 44}, NULL, 0, 0},   {2, {46, 51.5}, {46, 64}, NULL, 0, 0},
    {2, {46, 51.5}, {45, 49}, NULL, 0, 0},   {2, {46, 51.5}, {42, 25}, NULL, 0, 0},
    {2, {74.5, 82}, {66, 48.5}, NULL, 0, 0}, {2, {74.5, 79.5}, {50, 46}, NULL, 0, 0},
    {2, {74.5, 82}, {22, 39.5}, NULL, 0, 0},
};

static const block design_blocks[] = {
    {27, 82, 38, 9, GIVEN, "experience\nwhat is there to learn from?"},
    {27, 63, 38, 9, -1, "target function\nwhat is to be learned?"},
    {27, 44, 38, 9, -1, "representation\nwhat can be said of it?"},
    {27, 25, 38, 9, LEARNS, "algorithm\nhow is it found?"},
    {27, 8, 38, 7, JUDGED, "the finished design"},
    {77, 82, 42, 9, -1, "moves by an expert, values of states,\ngames against itself"},
    {77, 63, 42, 9, -1, "from state to move,\nfrom state to value"},
    {77, 44, 42, 9, -1, "a weighted sum of features,\na table, a network, rules"},
    {77, 25, 42, 9, -1, "descent of the squared error,\na linear program"},
};
static const wire design_wires[] = {
    {2, {27, 27}, {77.5, 67.5}, NULL, 0, 0}, {2, {27, 27}, {58.5, 48.5}, NULL, 0, 0},
    {2, {27, 27}, {39.5, 29.5}, NULL, 0, 0}, {2, {27, 27}, {20.5, 11.5}, NULL, 0, 0},
    {2, {56, 46}, {82, 82}, NULL, 0, 0},     {2, {56, 46}, {63, 63}, NULL, 0, 0},
    {2, {56, 46}, {44, 44}, NULL, 0, 0},     {2, {56, 46}, {25, 25}, NULL, 0, 0},
};

static const block search_blocks[] = {
    {17, 50, 30, 9, GIVEN, "hypotheses H\nall that can be said"},
    {17, 22, 30, 9, GIVEN, "examples D\nlabelled + and −"},
    {54, 50, 22, 9, LEARNS, "a candidate h\nout of H"},
    {54, 22, 22, 9, JUDGED, "h against D\nerrors, simplicity"},
    {87, 22, 22, 9, -1, "the best h\nis kept"},
};
static const wire search_wires[] = {
    {2, {32, 43}, {50, 50}, "search", 37.5, 50.6},
    {2, {48, 48}, {45.5, 26.5}, NULL, 0, 0},
    {2, {32, 43}, {22, 22}, NULL, 0, 0},
    {2, {65, 76}, {22, 22}, "good", 70.5, 22.6},
    {2, {60, 60}, {26.5, 45.5}, "the next", 65.5, 35},
};

static const block table_blocks[] = {
    {30, 62, 50, 7, -1, "features"},
    {78, 62, 22, 7, JUDGED, "class, label, target"},
    {13, 50, 16, 7, GIVEN, "year"},
    {30, 50, 16, 7, GIVEN, "model"},
    {47, 50, 16, 7, GIVEN, "colour"},
    {78, 50, 22, 7, JUDGED, "price"},
    {13, 41, 16, 7, -1, "2015"},
    {30, 41, 16, 7, -1, "swift"},
    {47, 41, 16, 7, -1, "blue"},
    {78, 41, 22, 7, -1, "6400"},
    {13, 32, 16, 7, -1, "2011"},
    {30, 32, 16, 7, -1, "robin"},
    {47, 32, 16, 7, -1, "red"},
    {78, 32, 22, 7, -1, "3900"},
    {13, 23, 16, 7, -1, "2018"},
    {30, 23, 16, 7, -1, "swift"},
    {47, 23, 16, 7, -1, "white"},
    {78, 23, 22, 7, -1, "9100"},
    {30, 9, 50, 7, LEARNS, "a row is an example, an instance"},
};
static const wire table_wires[] = {
    {2, {30, 30}, {12.5, 19.5}, NULL, 0, 0},
    {2, {55, 67}, {32, 32}, NULL, 0, 0},
};

#define SCHEME(NAME, TITLE, ABOUT, HEIGHT, BLOCKS, WIRES)                                          \
    {                                                                                              \
        NAME, TITLE, ABOUT, HEIGHT, BLOCKS, sizeof BLOCKS / sizeof *BLOCKS, WIRES,                 \
            sizeof WIRES / sizeof *WIRES                                                           \
    }

static const scheme schemes[] = {
    SCHEME("agent", "A learner in its environment",
           "what acts, what learns from it, and who says how good it was", 80, agent_blocks,
           agent_wires),
    SCHEME("design", "Choices in the design of a learner",
           "from the experience to the algorithm, one after the other", 88, design_blocks,
           design_wires),
    SCHEME("parts", "Training, validation and test rows",
           "every part has one use, and the last is asked once", 54, parts_blocks, parts_wires),
    SCHEME("process", "What learning is made of", "from stored data to what they are good for", 36,
           process_blocks, process_wires),
    SCHEME("search", "Learning as search", "the language H is searched for what fits D", 56,
           search_blocks, search_wires),
    SCHEME("supervised", "Supervised learning", "answers are learned from answered examples", 48,
           supervised_blocks, supervised_wires),
    SCHEME("table", "Data as a table", "a row for every example, a column for every feature", 67,
           table_blocks, table_wires),
    SCHEME("training", "Training and testing",
           "in training the difference goes back to the rule, in testing it is only counted", 73,
           training_blocks, training_wires),
    SCHEME("word-recogniser", "Recognising isolated words",
           "a hidden Markov model for each word; the likeliest names it", 72, recogniser_blocks,
           recogniser_wires),
};

enum { N_SCHEMES = sizeof schemes / sizeof *schemes };

/* -- drawing -- */

/* The lines of a text, one below the other, their middle at y. */
static void write_lines(cairn_figure *figure, const block *b)
{
    char lines[MOST_LINES][80] = {{0}};
    size_t n = 0, at = 0;
    for (const char *c = b->text; *c && n < MOST_LINES; c++) {
        if (*c == '\n')
            n++, at = 0;
        else if (at + 1 < sizeof *lines)
            lines[n][at++] = *c;
    }
    for (size_t i = 0; i <= n && i < MOST_LINES; i++)
        cairn_figure_text(figure, b->x, b->y + LINE * ((double)n / 2 - (double)i) - 1.0, 'c',
                          lines[i]);
}

static void draw_block(cairn_figure *figure, const block *b)
{
    double left = b->x - b->width / 2, right = b->x + b->width / 2, low = b->y - b->height / 2,
           high = b->y + b->height / 2, c = CORNER;
    double x[] = {left + c, right - c, right, right, right - c, left + c, left, left};
    double y[] = {low, low, low + c, high - c, high, high, high - c, low + c};
    cairn_figure_face(figure, b->group, b->group < 0 ? 0.12 : 0.25, x, y, 8);
    write_lines(figure, b);
}

static const scheme *find_scheme(const char *name)
{
    for (size_t i = 0; i < N_SCHEMES; i++)
        if (strcmp(schemes[i].name, name) == 0) return &schemes[i];
    return NULL;
}

static cairn_status refuse(cairn_context *ctx, const char *name)
{
    SCOPED(cairn_text_clear) cairn_text known = cairn_text_start(ctx);
    for (size_t i = 0; i < N_SCHEMES; i++)
        cairn_text_addf(&known, "%s%s", i ? ", " : "", schemes[i].name);
    CHECK(cairn_text_status(&known));
    return cairn_fail(ctx, CAIRN_USAGE, "there is no scheme '%s'; there are %s", name,
                      cairn_text_string(&known));
}

static cairn_status scheme_draw(cairn_context *ctx, cairn_figure **out,
                                const cairn_compute_job *job)
{
    const scheme_params *p = job->params;
    const scheme *s = find_scheme(job->word);
    if (!s) return refuse(ctx, job->word);
    CHECK(cairn_figure_new(ctx, out, "scheme", s->title));
    cairn_figure_subtitle(*out, s->about);
    cairn_figure_no_axes(*out);
    for (size_t i = 0; i < s->n_blocks; i++) draw_block(*out, &s->blocks[i]);
    for (size_t i = 0; i < s->n_wires; i++) {
        const wire *w = &s->wires[i];
        cairn_figure_grey_arrow(*out, w->x, w->y, (size_t)w->n);
        if (w->word && p->words) cairn_figure_text(*out, w->word_x, w->word_y, 'c', w->word);
    }
    cairn_figure_x_range(*out, 0, 100);
    cairn_figure_y_range(*out, 0, s->height);
    cairn_figure_size(*out, 100 * UNIT, s->height * UNIT);
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_scheme = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "scheme",
         .also = "block scheme, block diagram, flow chart of learning, learning agent, "
                 "training and testing, performance element, critic, design choices, learning as "
                 "search, data table view, isolated word recogniser",
         .title = "Block schemes of learning",
         .summary = "Boxes and arrows that texts explain learning by: training (and testing: "
                    "whether the difference goes back to the rule), supervised, process (data, "
                    "abstraction, generalisation, evaluation), parts (training, validation and "
                    "test rows), agent (environment, critic, learning and performance element), "
                    "design (choices from experience to algorithm), search (through hypotheses), "
                    "table (examples and features) and word-recogniser.",
         .example = "cairn draw scheme training --out scheme.svg",
         .params = scheme_table,
         .params_size = sizeof(scheme_params)},
    .arguments = "NAME",
    .takes_word = true,
    .draw = scheme_draw,
};
