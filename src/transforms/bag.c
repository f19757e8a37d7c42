/* SPDX-License-Identifier: MIT */
/* Bag: texts become bags of words, counts of the words of a vocabulary.
 *
 *  1. fold every text (normal form, lower case, accents), cut it into tokens, leave out stop words,
 *     replace words by lemmas and stems, make n-grams (data/tokens.h)
 *  2. vocabulary: all words of the training rows within the limits of document frequency, in the
 *     order of their code points; or the most frequent ones; or a given list, in its order
 *  3. a text becomes its counts of these words, perhaps capped or cut to 0/1; other words drop out
 *
 * Rows of weight 0 are not read for the vocabulary; otherwise a row is a document, whatever its
 * weight. Ties of frequency: the word that comes first in order stays. Word lists that were read
 * from files are kept with the model. Cost: one look-up per token. */
#include "base/file.h"
#include "transforms/columns.h"
#include "transforms/lexicon.h"
#include <math.h>
#include <string.h>

typedef enum { VALUES_COUNTS, VALUES_BITS } values_choice;
typedef enum { ACCENTS_KEEP, ACCENTS_STRIP } accents_choice;
typedef enum { STOP_NONE, STOP_ENGLISH } stop_choice;
typedef enum { UNKNOWN_DROP, UNKNOWN_COUNT } unknown_choice;
typedef enum { MISSING_EMPTY, MISSING_KEEP } missing_choice;

typedef struct bag_params {
    const char *columns;
    int tokens; /* cairn_token_unit */
    int min_length;
    bool lower;
    int normalise; /* cairn_form */
    int accents;   /* accents_choice */
    int stop;      /* stop_choice */
    const char *stop_words, *stop_file;
    const char *lemmas;
    int stem; /* number of the language + 1, 0 = none */
    int min_gram, max_gram;
    int64_t min_documents, max_documents;
    double min_share, max_share;
    int64_t max_words;
    const char *keywords, *keyword_file, *vocabulary, *save;
    int values;  /* values_choice */
    int cap;     /* 0 = none */
    int unknown; /* unknown_choice */
    int missing; /* missing_choice */
} bag_params;

static const cairn_choice token_choices[] = {
    {"words", CAIRN_TOKENS_WORDS, "runs of letters, digits and underscores"},
    {"letters", CAIRN_TOKENS_LETTERS, "runs of letters"},
    {"characters", CAIRN_TOKENS_CHARACTERS, "every character, blanks too"},
    {"inside", CAIRN_TOKENS_INSIDE, "characters within words, with a blank before and behind"},
    {0},
};

static const cairn_choice form_choices[] = {
    {"none", CAIRN_FORM_NONE, "letters as they are written"},
    {"composed", CAIRN_FORM_COMPOSED, "one spelling of accented letters (NFC)"},
    {"compatible", CAIRN_FORM_COMPATIBLE, "ligatures, wide and styled letters plain, too (NFKC)"},
    {0},
};

static const cairn_choice accent_choices[] = {
    {"keep", ACCENTS_KEEP, "naïve is not naive"},
    {"strip", ACCENTS_STRIP, "accents are taken off"},
    {0},
};

static const cairn_choice stop_choices[] = {
    {"none", STOP_NONE, "all words count"},
    {"english", STOP_ENGLISH, "a list of English words that say little about a subject"},
    {0},
};

static const cairn_choice stem_choices[] = {
    {"none", 0, "words as they are"},
    {"arabic", 1, "Arabic"},
    {"armenian", 2, "Armenian"},
    {"basque", 3, "Basque"},
    {"catalan", 4, "Catalan"},
    {"danish", 5, "Danish"},
    {"dutch", 6, "Dutch"},
    {"english", 7, "English (Porter 2)"},
    {"finnish", 8, "Finnish"},
    {"french", 9, "French"},
    {"german", 10, "German"},
    {"greek", 11, "Greek"},
    {"hindi", 12, "Hindi"},
    {"hungarian", 13, "Hungarian"},
    {"indonesian", 14, "Indonesian"},
    {"irish", 15, "Irish"},
    {"italian", 16, "Italian"},
    {"lithuanian", 17, "Lithuanian"},
    {"nepali", 18, "Nepali"},
    {"norwegian", 19, "Norwegian"},
    {"porter", 20, "English, as in 1980"},
    {"portuguese", 21, "Portuguese"},
    {"romanian", 22, "Romanian"},
    {"russian", 23, "Russian"},
    {"serbian", 24, "Serbian"},
    {"spanish", 25, "Spanish"},
    {"swedish", 26, "Swedish"},
    {"tamil", 27, "Tamil"},
    {"turkish", 28, "Turkish"},
    {"yiddish", 29, "Yiddish"},
    {0},
};

static const cairn_choice value_choices[] = {
    {"counts", VALUES_COUNTS, "how often the word stands in the text"},
    {"bits", VALUES_BITS, "whether it does"},
    {0},
};

static const cairn_choice unknown_choices[] = {
    {"drop", UNKNOWN_DROP, "words outside the vocabulary leave no trace"},
    {"count", UNKNOWN_COUNT, "a further number column, COLUMN.unknown, counts them"},
    {0},
};

static const cairn_choice missing_choices[] = {
    {"empty", MISSING_EMPTY, "a missing text is one without words"},
    {"keep", MISSING_KEEP, "its bag is missing, too"},
    {0},
};

static const cairn_param bag_param_table[] = {
    CAIRN_PARAM_AS(bag_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "text or level columns; all text features when not given"),
    CAIRN_PARAM_CHOICE(bag_params, tokens, "words", token_choices, "what a text is cut into"),
    CAIRN_PARAM(bag_params, min_length, "2", "[1,1000]", "letters of the shortest word that counts",
                .when = "tokens=words|letters"),
    CAIRN_PARAM(bag_params, lower, "yes", NULL, "ignore case: make all letters lower case"),
    CAIRN_PARAM_CHOICE(bag_params, normalise, "none", form_choices, "Unicode normal form"),
    CAIRN_PARAM_CHOICE(bag_params, accents, "keep", accent_choices, "accents of letters"),
    CAIRN_PARAM_CHOICE(bag_params, stop, "none", stop_choices, "built-in list of stop words"),
    CAIRN_PARAM_AS(bag_params, stop_words, CAIRN_TYPE_TEXT, NULL,
                   "further words to leave out, separated by commas"),
    CAIRN_PARAM_AS(bag_params, stop_file, CAIRN_TYPE_FILE, NULL,
                   "file of words to leave out, one per line"),
    CAIRN_PARAM_AS(bag_params, lemmas, CAIRN_TYPE_FILE, NULL,
                   "file of lines word=lemma; every such word is replaced by its lemma"),
    CAIRN_PARAM_CHOICE(bag_params, stem, "none", stem_choices,
                       "reduce words to their stems (Snowball)"),
    CAIRN_PARAM(bag_params, min_gram, "1", "[1,20]", "least number of tokens in an n-gram"),
    CAIRN_PARAM(bag_params, max_gram, "1", "[1,20]", "largest number of tokens in an n-gram"),
    CAIRN_PARAM(bag_params, min_documents, "1", "[1,inf)",
                "leave out words that stand in fewer training texts",
                .when = "!keywords,!keyword_file,!vocabulary"),
    CAIRN_PARAM(bag_params, max_documents, "0", "[0,inf)",
                "leave out words that stand in more training texts; 0 = no limit",
                .when = "!keywords,!keyword_file,!vocabulary"),
    CAIRN_PARAM(bag_params, min_share, "0", "[0,1]", "the same as a share of the training texts",
                .when = "!keywords,!keyword_file,!vocabulary"),
    CAIRN_PARAM(bag_params, max_share, "1", "[0,1]",
                "leave out words that stand in a larger share of the training texts",
                .when = "!keywords,!keyword_file,!vocabulary"),
    CAIRN_PARAM(bag_params, max_words, "0", "[0,inf)",
                "keep the words that are most frequent in all texts together; 0 = all",
                .when = "!keywords,!keyword_file,!vocabulary"),
    CAIRN_PARAM_AS(bag_params, keywords, CAIRN_TYPE_TEXT, NULL,
                   "the vocabulary: words or phrases separated by commas, folded like the texts"),
    CAIRN_PARAM_AS(bag_params, keyword_file, CAIRN_TYPE_FILE, NULL,
                   "the same from a file, one word or phrase per line"),
    CAIRN_PARAM_AS(bag_params, vocabulary, CAIRN_TYPE_FILE, NULL,
                   "the vocabulary as a file that save wrote: tokens as they are, one per line"),
    CAIRN_PARAM_WRITES(bag_params, save, "write the vocabulary to this file, one token per line"),
    CAIRN_PARAM_CHOICE(bag_params, values, "counts", value_choices, "what the bag holds"),
    CAIRN_PARAM(bag_params, cap, "0", "[0,inf)",
                "largest count; 2 reads as two or more; 0 = no limit", .when = "values=counts"),
    CAIRN_PARAM_CHOICE(bag_params, unknown, "drop", unknown_choices,
                       "words outside the vocabulary"),
    CAIRN_PARAM_CHOICE(bag_params, missing, "empty", missing_choices, "texts that are missing"),
    CAIRN_PARAM_END,
};

typedef struct bag_state {
    cairn_map names;         /* of the text columns */
    cairn_lexicon *lexicons; /* names.n */
    cairn_map stop;
    cairn_lemmas lemmas;
    char *stem; /* language, NULL = none */
} bag_state;

/* Refuses options that contradict each other before any text is read: stop words and stems are
 * about words, and only one option may give the vocabulary. */
static cairn_status bag_check(cairn_context *ctx, const void *values)
{
    const bag_params *p = values;
    bool words = p->tokens == CAIRN_TOKENS_WORDS || p->tokens == CAIRN_TOKENS_LETTERS;
    int given = (p->keywords != NULL) + (p->keyword_file != NULL) + (p->vocabulary != NULL);
    if (p->min_gram > p->max_gram)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "bag: min-gram is %d and max-gram %d; give max-gram=%d or more",
                          p->min_gram, p->max_gram, p->min_gram);
    if (!words && (p->stop || p->stop_words || p->stop_file || p->lemmas || p->stem))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "bag: stop words, lemmas and stems are about words, but tokens=%s cuts "
                          "texts into characters; leave them out, or take tokens=words",
                          token_choices[p->tokens].name);
    if (given > 1)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "bag: keywords, keyword-file and vocabulary all give the vocabulary; "
                          "keep one of them");
    if (p->min_share > p->max_share)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "bag: min-share is larger than max-share, so no word "
                          "could stay");
    return CAIRN_OK;
}

static cairn_folding folding_of(const bag_params *p)
{
    return (cairn_folding){p->normalise, p->lower, p->accents == ACCENTS_STRIP};
}

static cairn_token_rules rules_of(const bag_params *p, const bag_state *s)
{
    return (cairn_token_rules){.unit = p->tokens,
                               .shortest = (size_t)p->min_length,
                               .folding = folding_of(p),
                               .min_gram = p->min_gram,
                               .max_gram = p->max_gram,
                               .stop = &s->stop,
                               .lemmas = &s->lemmas,
                               .stem = s->stem};
}

static cairn_bag_options options_of(const bag_params *p)
{
    return (cairn_bag_options){.cap = p->cap,
                               .bits = p->values == VALUES_BITS,
                               .keep_missing = p->missing == MISSING_KEEP};
}

/* -- word lists -- */

static cairn_status list_words(cairn_context *ctx, cairn_map *out, const char *list)
{
    char **items;
    size_t n, index;
    CHECK(cairn_list_split(ctx, list, &items, &n));
    for (size_t i = 0; i < n; i++)
        if (*items[i]) CHECK(cairn_map_add(ctx, out, items[i], strlen(items[i]), &index));
    return CAIRN_OK;
}

/* All stop words, folded like the texts. */
static cairn_status make_stop_words(cairn_context *ctx, cairn_map *out, const bag_params *p)
{
    SCOPED(cairn_map_clear) cairn_map raw = {0};
    SCOPED(cairn_folded_clear) cairn_folded word = {0};
    cairn_folding folding = folding_of(p);
    size_t index;
    if (p->stop == STOP_ENGLISH) CHECK(cairn_stop_words(ctx, &raw));
    if (p->stop_words) CHECK(list_words(ctx, &raw, p->stop_words));
    if (p->stop_file) CHECK(cairn_words_read(ctx, &raw, p->stop_file));
    for (size_t i = 0; i < raw.n; i++) {
        CHECK(cairn_fold(ctx, &word, &folding, cairn_map_key(&raw, i), raw.lengths[i]));
        CHECK(cairn_map_add(ctx, out, word.bytes, word.length, &index));
    }
    return CAIRN_OK;
}

/* The last token that came, and how many did. */
typedef struct one_token {
    cairn_context *ctx;
    cairn_text text;
    size_t n;
} one_token;

static cairn_status take_token(void *data, const char *token, size_t length)
{
    one_token *t = data;
    if (t->n++) cairn_text_add_char(&t->text, ' ');
    cairn_text_add_bytes(&t->text, token, length);
    return cairn_text_status(&t->text);
}

/* A keyword or phrase as the token that it would be in a text. */
static cairn_status fold_keyword(cairn_context *ctx, cairn_map *out, cairn_tokeniser *tokeniser,
                                 const char *word, size_t length, const bag_params *p)
{
    cairn_status status;
    one_token token = {.ctx = ctx, .text = cairn_text_start(ctx)};
    size_t index;
    TRY(cairn_tokenise(tokeniser, word, length, take_token, &token));
    if (token.n == 0)
        TRY(cairn_fail(ctx, CAIRN_USAGE,
                       "bag: keyword '%s' holds no token under these rules: see tokens, "
                       "min-length and the stop words",
                       word));
    if (token.n < (size_t)p->min_gram || token.n > (size_t)p->max_gram)
        TRY(cairn_fail(ctx, CAIRN_USAGE,
                       "bag: keyword '%s' is %zu token%s long, but n-grams have %d to %d; give "
                       "min-gram and max-gram to match",
                       word, token.n, token.n == 1 ? "" : "s", p->min_gram, p->max_gram));
    TRY(cairn_map_add(ctx, out, cairn_text_string(&token.text), token.text.length, &index));
done:
    cairn_text_clear(&token.text);
    return status;
}

/* Keywords pass through the same folding as the texts, so that a keyword matches the token it
 * becomes there; as grams of one word, whatever lengths were asked for. */
static cairn_status make_keywords(cairn_context *ctx, cairn_map *out, const bag_params *p,
                                  const bag_state *s)
{
    cairn_status status;
    cairn_map raw = {0};
    cairn_token_rules rules = rules_of(p, s);
    cairn_tokeniser tokeniser;
    size_t index;
    bool words = p->tokens == CAIRN_TOKENS_WORDS || p->tokens == CAIRN_TOKENS_LETTERS;
    rules.min_gram = rules.max_gram = 1;
    TRY(cairn_tokeniser_start(ctx, &tokeniser, &rules));
    if (p->keywords)
        TRY(list_words(ctx, &raw, p->keywords));
    else
        TRY(cairn_words_read(ctx, &raw, p->keyword_file));
    for (size_t i = 0; i < raw.n; i++)
        if (words)
            TRY(fold_keyword(ctx, out, &tokeniser, cairn_map_key(&raw, i), raw.lengths[i], p));
        else
            TRY(cairn_map_add(ctx, out, cairn_map_key(&raw, i), raw.lengths[i], &index));
done:
    cairn_tokeniser_clear(&tokeniser);
    cairn_map_clear(&raw);
    return status;
}

/* -- fitting -- */

static bool fits_text(const cairn_column *column)
{
    return column->kind == CAIRN_TEXT;
}

static bool fits_words(const cairn_column *column)
{
    return column->kind == CAIRN_TEXT || column->kind == CAIRN_LEVEL;
}

/* Tells the two ways to an empty vocabulary apart, since they have different remedies: no text
 * holds a token, or the limits dropped every word. */
static cairn_status refuse_empty(cairn_context *ctx, const bag_params *p, const char *name,
                                 const cairn_lexicon *lexicon, size_t n_stop)
{
    cairn_text why = cairn_text_start(ctx);
    if (lexicon->n_found == 0)
        cairn_text_addf(&why,
                        "no training text holds a token (tokens=%s, min-length=%d, %zu stop "
                        "word%s)",
                        token_choices[p->tokens].name, p->min_length, n_stop,
                        n_stop == 1 ? "" : "s");
    else
        cairn_text_addf(&why,
                        "of %zu different tokens in %zu texts none is within min-documents=%lld, "
                        "max-documents=%lld, min-share and max-share",
                        lexicon->n_found, (size_t)lexicon->n_documents, (long long)p->min_documents,
                        (long long)p->max_documents);
    cairn_status status = cairn_text_status(&why);
    if (!status)
        status = cairn_fail(ctx, CAIRN_BAD_DATA,
                            "bag: column '%s': the vocabulary is empty: %s; loosen these options",
                            name, cairn_text_string(&why));
    cairn_text_clear(&why);
    return status;
}

/* A given vocabulary is taken as it is and the limits on documents do not prune it; of min-
 * documents and min-share, and of their counterparts, the stricter one holds. */
static cairn_status learn_column(cairn_context *ctx, cairn_lexicon *out, const bag_params *p,
                                 const bag_state *s, const cairn_job *job, size_t feature,
                                 const cairn_map *given)
{
    cairn_status status;
    cairn_token_rules rules = rules_of(p, s);
    TRY(cairn_lexicon_learn(ctx, out, &rules, job->view, job->view->features[feature], true));
    if (given) {
        TRY(cairn_lexicon_pick(ctx, out, given));
    } else {
        cairn_lexicon_limits limits = {
            .min_documents = fmax((double)p->min_documents, p->min_share * out->n_documents),
            .max_documents = p->max_share * out->n_documents,
            .max_words = (size_t)p->max_words};
        if (p->max_documents && limits.max_documents > (double)p->max_documents)
            limits.max_documents = (double)p->max_documents;
        TRY(cairn_lexicon_prune(ctx, out, &limits));
    }
    if (out->words.n == 0) status = refuse_empty(ctx, p, job->view->names[feature], out, s->stop.n);
done:
    return status;
}

/* The words of all columns, each once. */
static cairn_status save_words(cairn_context *ctx, const bag_state *s, const char *path)
{
    SCOPED(cairn_map_clear) cairn_map all = {0};
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    size_t index;
    for (size_t c = 0; c < s->names.n; c++)
        for (size_t i = 0; i < s->lexicons[c].words.n; i++) {
            const cairn_map *words = &s->lexicons[c].words;
            size_t n = all.n;
            CHECK(cairn_map_add(ctx, &all, cairn_map_key(words, i), words->lengths[i], &index));
            if (all.n == n) continue;
            cairn_text_add_bytes(&text, cairn_map_key(words, i), words->lengths[i]);
            cairn_text_add_char(&text, '\n');
        }
    CHECK(cairn_text_status(&text));
    return cairn_file_write_all(ctx, path, text.bytes, text.length);
}

/* -- the document-term table of --steps -- */

enum { SHOWN_ROWS = 20, SHOWN_WORDS = 12 };

/* The words to show: all of a few in their order, else the most frequent ones. */
static size_t shown_words(const cairn_lexicon *lexicon, size_t out[SHOWN_WORDS])
{
    size_t n = 0;
    for (size_t i = 0; i < lexicon->words.n; i++) {
        size_t at = n;
        while (lexicon->words.n > SHOWN_WORDS && at > 0 &&
               lexicon->totals[out[at - 1]] < lexicon->totals[i])
            at--;
        if (at >= SHOWN_WORDS) continue;
        if (n < SHOWN_WORDS) n++;
        for (size_t k = n - 1; k > at; k--) out[k] = out[k - 1];
        out[at] = i;
    }
    return n;
}

static double bag_amount(const cairn_column *bag, size_t row, size_t item)
{
    for (size_t k = bag->starts[row]; k < bag->starts[row + 1]; k++)
        if ((size_t)bag->items[k] == item) return bag->amounts ? bag->amounts[k] : 1;
    return 0;
}

static void word_heads(cairn_report *out, const cairn_lexicon *l, const size_t *words, size_t n,
                       const char *first, bool class)
{
    cairn_report_column(out, first, 'l');
    for (size_t k = 0; k < n; k++)
        cairn_report_column(out, cairn_map_key(&l->words, words[k]), 'r');
    if (class) cairn_report_column(out, "class", 'l');
}

/* Sums of the bag over the rows of every class: n_classes x n, and the number of rows behind. */
static cairn_status class_sums(cairn_context *ctx, double **out, const cairn_view *view,
                               const cairn_column *bag, size_t n_words)
{
    size_t n_classes = view->target->names.n;
    double *sums;
    cairn_status status = SCRATCH(ctx, &sums, cairn_product(n_classes, n_words + 1));
    for (size_t i = 0; !status && i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        int32_t code = view->target->codes[row];
        double weight = cairn_view_weight(view, i);
        if (code < 0) continue;
        double *to = sums + (size_t)code * (n_words + 1);
        to[n_words] += weight;
        for (size_t k = bag->starts[row]; k < bag->starts[row + 1]; k++)
            to[bag->items[k]] += weight * (bag->amounts ? bag->amounts[k] : 1);
    }
    if (!status) *out = sums;
    return status;
}

/* `sums` has for each class the amounts of all words and then the number of texts; "all words"
 * counts those that have no column here, too. */
static void show_classes(cairn_report *out, const cairn_column *target, const double *sums,
                         const cairn_lexicon *l, const char *key, const size_t *words, size_t n)
{
    cairn_report_table_begin(out, "Totals by class", 0);
    word_heads(out, l, words, n, "class", false);
    cairn_report_columns(out, "rr", "all words", "texts");
    for (size_t c = 0; c < target->names.n; c++) {
        const char *name = cairn_map_key(&target->names, c);
        const char *class = cairn_report_key(out, name);
        const double *from = sums + c * (l->words.n + 1);
        double all = 0;
        for (size_t k = 0; k < l->words.n; k++) all += from[k];
        cairn_report_cell(out, name);
        for (size_t k = 0; k < n; k++)
            cairn_report_cell_number(out, from[words[k]], 0, "bag.%s.class.%s.%s", key, class,
                                     cairn_report_key(out, cairn_map_key(&l->words, words[k])));
        cairn_report_cell_number(out, all, 0, "bag.%s.class.%s.all", key, class);
        cairn_report_cell_number(out, from[l->words.n], 0, "bag.%s.class.%s.texts", key, class);
    }
    cairn_report_table_end(out);
}

/* The training texts are cut once more for the history alone: fitting keeps counts by word, not by
 * row. */
static cairn_status show_steps(cairn_context *ctx, const cairn_job *job, const bag_state *s,
                               size_t column, size_t feature)
{
    const bag_params *p = job->params;
    SCOPED_SCRATCH(ctx);
    cairn_report *out = job->steps;
    const cairn_lexicon *l = &s->lexicons[column];
    cairn_token_rules rules = rules_of(p, s);
    cairn_bag_options options = options_of(p);
    OWNED(cairn_column_drop) cairn_column *bag = NULL;
    size_t words[SHOWN_WORDS], n = shown_words(l, words);
    const char *name = job->view->names[feature], *key = cairn_report_key(out, name);
    double *sums;
    CHECK(cairn_lexicon_bag(ctx, &bag, &l->words, &rules, job->view->features[feature], &options,
                            NULL));
    cairn_report_step_begin(out, "The texts of '%s' as bags of words", name);
    if (n < l->words.n)
        cairn_report_paragraph(out, "The %zu most frequent of %zu words are shown.", n, l->words.n);
    /* Only rows that the report keeps are looked up; the others get empty cells, because a table
     * needs all its cells to know how many rows it left out. */
    bool class = job->view->target && job->view->target->kind == CAIRN_LEVEL;
    cairn_report_table_begin(out, "Documents and terms", SHOWN_ROWS);
    word_heads(out, l, words, n, "row", class);
    for (size_t i = 0; i < job->view->rows.n; i++) {
        size_t row = cairn_view_row(job->view, i);
        if (!cairn_report_row_wanted(out)) {
            for (size_t k = 0; k < n + 1 + class; k++) cairn_report_cell(out, "");
            continue;
        }
        cairn_report_cellf(out, "%zu", row + 1);
        for (size_t k = 0; k < n; k++)
            cairn_report_cell_number(out, bag_amount(bag, row, words[k]), 0, "bag.%s.row%zu.%s",
                                     key, row + 1,
                                     cairn_report_key(out, cairn_map_key(&l->words, words[k])));
        if (class)
            cairn_report_cell(out,
                              cairn_level_name(job->view->target, job->view->target->codes[row]));
    }
    cairn_report_table_end(out);
    if (job->view->target && job->view->target->kind == CAIRN_LEVEL) {
        CHECK(class_sums(ctx, &sums, job->view, bag, l->words.n));
        show_classes(out, job->view->target, sums, l, key, words, n);
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* Each column learns a vocabulary of its own; one that is given holds for all of them. A column
 * named twice is learned anew, not twice. */
static cairn_status bag_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const bag_params *p = job->params;
    bag_state *s = state;
    SCOPED(cairn_map_clear) cairn_map given = {0};
    bool limited = p->keywords || p->keyword_file || p->vocabulary;
    size_t n, *chosen, index;
    CHECK(cairn_choose_features(ctx, job->view, "bag", p->columns,
                                p->columns ? fits_words : fits_text, "a text column", &chosen, &n));
    cairn_folding folding = folding_of(p);
    const char *language = stem_choices[p->stem].name;
    CHECK(make_stop_words(ctx, &s->stop, p));
    if (p->lemmas) CHECK(cairn_lemmas_read(ctx, &s->lemmas, p->lemmas, &folding));
    if (p->stem) CHECK(cairn_copy_text(ctx, &s->stem, language, strlen(language)));
    if (limited) {
        if (p->vocabulary)
            CHECK(cairn_words_read(ctx, &given, p->vocabulary));
        else
            CHECK(make_keywords(ctx, &given, p, s));
    }
    CHECK(NEW(ctx, &s->lexicons, n));
    for (size_t i = 0; i < n; i++) {
        const char *name = job->view->names[chosen[i]];
        CHECK(cairn_map_add(ctx, &s->names, name, strlen(name), &index));
        cairn_lexicon_clear(&s->lexicons[index]);
        CHECK(
            learn_column(ctx, &s->lexicons[index], p, s, job, chosen[i], limited ? &given : NULL));
        if (job->steps) CHECK(show_steps(ctx, job, s, index, chosen[i]));
    }
    if (p->save) CHECK(save_words(ctx, s, p->save));
    return CAIRN_OK;
}

/* -- applying -- */

/* COLUMN.unknown, which takes the column of numbers. */
static cairn_status add_unknown(cairn_context *ctx, cairn_table *table, const char *name,
                                cairn_column *numbers)
{
    cairn_text text = cairn_text_start(ctx);
    cairn_text_addf(&text, "%s.unknown", name);
    cairn_status status = cairn_text_status(&text);
    if (status)
        cairn_column_drop(numbers);
    else
        status =
            cairn_table_add_column(ctx, table, cairn_text_string(&text), CAIRN_FEATURE, numbers);
    cairn_text_clear(&text);
    return status;
}

/* Put a bag in the place of a text column. A lexicon that holds the draft of these very rows is
 * given as `draft`. */
static cairn_status apply_column(cairn_context *ctx, cairn_table *table, size_t at,
                                 const bag_params *p, const bag_state *s, const cairn_lexicon *l,
                                 cairn_lexicon *draft)
{
    cairn_status status;
    cairn_token_rules rules = rules_of(p, s);
    cairn_bag_options options = options_of(p);
    cairn_column *bag = NULL, *unknown = NULL;
    const cairn_slot *slot = &table->slots[at];
    if (slot->column->kind != CAIRN_LEVEL) TRY(cairn_expect_kind(ctx, slot, CAIRN_TEXT));
    if (p->unknown == UNKNOWN_COUNT)
        TRY(cairn_column_new(ctx, &unknown, CAIRN_NUMBER, table->n_rows));
    double *counts = unknown ? unknown->numbers : NULL;
    if (draft)
        TRY(cairn_lexicon_bag_learned(ctx, &bag, draft, slot->column, &options, counts));
    else
        TRY(cairn_lexicon_bag(ctx, &bag, &l->words, &rules, slot->column, &options, counts));
    cairn_table_replace_column(table, at, bag);
    if (unknown) {
        status = add_unknown(ctx, table, slot->name, unknown);
        unknown = NULL;
    }
done:
    cairn_column_drop(unknown);
    return status;
}

/* `drafts` are the lexicons where they may be used up, else NULL. */
static cairn_status apply_all(cairn_context *ctx, cairn_table **out, const bag_state *s,
                              const bag_params *p, const cairn_table *table, cairn_lexicon *drafts)
{
    OWNED(cairn_table_free) cairn_table *copy = NULL;
    CHECK(cairn_table_share(ctx, &copy, table));
    for (size_t i = 0, at = 0; i < s->names.n; i++) {
        cairn_lexicon *draft = drafts && drafts[i].draft ? &drafts[i] : NULL;
        CHECK(cairn_next_column(ctx, copy, cairn_map_key(&s->names, i), &at));
        CHECK(apply_column(ctx, copy, at, p, s, &s->lexicons[i], draft));
    }
    *out = TAKE(copy);
    return CAIRN_OK;
}

static cairn_status bag_apply(cairn_context *ctx, cairn_table **out, const void *state,
                              const void *params, const cairn_table *table)
{
    return apply_all(ctx, out, state, params, table, NULL);
}

static cairn_status bag_apply_fitted(cairn_context *ctx, cairn_table **out, void *state,
                                     const void *params, const cairn_table *table)
{
    return apply_all(ctx, out, state, params, table, ((bag_state *)state)->lexicons);
}

/* -- describing -- */

/* Shows the counts that decide whether the limits on words were well chosen, and the most frequent
 * words only. */
static void describe_column(cairn_report *out, const cairn_lexicon *l, const char *name)
{
    const char *key = cairn_report_key(out, name);
    size_t words[SHOWN_WORDS], n = shown_words(l, words);
    cairn_report_word(out, "texts in column", name, NULL);
    cairn_report_value(out, "training texts", l->n_documents, "bag.%s.texts", key);
    cairn_report_value(out, "tokens in them", l->n_tokens, "bag.%s.tokens", key);
    cairn_report_value(out, "different tokens", (double)l->n_found, "bag.%s.found", key);
    cairn_report_value(out, "words in the vocabulary", (double)l->words.n, "bag.%s.words", key);
    cairn_report_table_of(out, n < l->words.n ? "Most frequent words" : "Words", 0, "lrr", "word",
                          "texts", "total");
    for (size_t k = 0; k < n; k++) {
        const char *word = cairn_map_key(&l->words, words[k]);
        const char *word_key = cairn_report_key(out, word);
        cairn_report_cell(out, word);
        cairn_report_cell_number(out, l->documents[words[k]], 0, "bag.%s.documents.%s", key,
                                 word_key);
        cairn_report_cell_number(out, l->totals[words[k]], 0, "bag.%s.total.%s", key, word_key);
    }
    cairn_report_table_end(out);
}

static void bag_describe(cairn_report *out, const void *state, const void *params)
{
    (void)params;
    const bag_state *s = state;
    for (size_t i = 0; i < s->names.n; i++)
        describe_column(out, &s->lexicons[i], cairn_map_key(&s->names, i));
}

/* Whether the language is one that there are stems for. */
static bool is_language(const char *name)
{
    for (size_t i = 0; stem_choices[i].name; i++)
        if (stem_choices[i].value && cairn_same(stem_choices[i].name, name)) return true;
    return false;
}

static const cairn_kept lemmas_keeps[] = {
    KEEP_AS(cairn_lemmas, words, .name = "lemma_words"),
    KEEP(cairn_lemmas, lemmas),
    KEEP_CODES(cairn_lemmas, of, "words", 0, "lemmas", "a word has no lemma", .name = "lemma_of"),
    KEEP_END,
};

static cairn_status check_stem(cairn_archive *a, const void *state, const void *around)
{
    const bag_state *s = state;
    (void)around;
    return !s->stem || is_language(s->stem) ? CAIRN_OK : cairn_archive_damaged(a, "unknown stems");
}

static const cairn_kept bag_keeps[] = {
    KEEP(bag_state, names),
    KEEP_PARTS(bag_state, lexicons, "names", .rows = cairn_lexicon_keeps),
    KEEP(bag_state, stop),
    KEEP_PART(bag_state, lemmas, .rows = lemmas_keeps),
    KEEP(bag_state, stem),
    KEEP_CHECK(check_stem),
    KEEP_END,
};

const cairn_transform cairn_bag = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "bag",
              .also = "bag of words, vectoriser, tokenise, tokeniser, n-grams, stemming, "
                      "document-term matrix, CountVectorizer",
              .about = "StringToWordVector, HashingVectorizer, lemmatisation, lemmas, stop words",
              .title = "Bag of words",
              .summary =
                  "Turns every text into a bag: how often each word of a vocabulary stands in it, "
                  "or whether it does. Words are runs of at least two letters, digits or "
                  "underscores, in lower case, unless told otherwise; stop words can be left out, "
                  "words reduced to lemmas and stems, and runs of words (n-grams) counted. The "
                  "vocabulary is learned from the training texts, or given as a list; words that "
                  "are not in it are left out of new texts.",
              .references = "Manning, Raghavan and Schuetze, Introduction to Information Retrieval",
              .example = "cairn convert @texts - --to csv --with bag --with indicators",
              .params = bag_param_table,
              .params_size = sizeof(bag_params),
              .check = bag_check},
    .state_size = sizeof(bag_state),
    .fit = bag_fit,
    .apply = bag_apply,
    .apply_fitted = bag_apply_fitted,
    .describe = bag_describe,
    .keeps = bag_keeps,
};
