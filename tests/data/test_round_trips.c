/* SPDX-License-Identifier: MIT */
/* Names and cells of any letters through every format that is both written and read: what comes
 * back is what was written, or the writer refuses it with the column. */
#include "data/format_test.h"
#include "base/random.h"
#include "data/grow.h"

/* What separates, quotes, comments, ends, is missing, is a number or a time in some format. */
static const char *const pieces[] = {
    ",", ";", "\t", "|", " ", "\"", "'", "\\", "#", "%", "{", "}", "[", "]", "(", ")", ":", "=", "@",
    "\n", "\r", "\r\n", "/", "//", "--", "<", "&", "\xEF\xBB\xBF", "\x01", "\x1b[31m", "\xC2\x9B",
    "\xE2\x80\xAE", "\xE2\x80\xA8", "NA", "?", "nan", "null", "true", "inf", "0", "12", "-3.5",
    "1e5", "2026-11-15", "14:30", "x", "yes", "column", "a.b", "\xC3\xA9", "\xF0\x9F\x98\x80",
    "@attribute", "@data", "qid:1", "1:2", "\\n", "\\u0041",
};
enum { N_PIECES = sizeof pieces / sizeof *pieces, ROWS = 7, COLUMNS = 4, MOST_BYTES = 400 };

/* A hostile word: one to four pieces; sometimes a long one. */
static void make_word(cairn_random *random, char out[MOST_BYTES])
{
    size_t n = 1 + cairn_random_below(random, 4);
    if (cairn_random_below(random, 40) == 0) n = 60;
    *out = 0;
    for (size_t i = 0; i < n; i++) {
        const char *piece = pieces[cairn_random_below(random, N_PIECES)];
        if (strlen(out) + strlen(piece) + 1 < MOST_BYTES) strcat(out, piece);
    }
}

/* Words of the table: those of the names come first. */
typedef struct words {
    char names[COLUMNS][MOST_BYTES];
    char cells[COLUMNS][ROWS][MOST_BYTES];
    size_t n_columns;
} words;

static void make_words(words *w, uint64_t seed)
{
    cairn_random random = cairn_random_start(seed, 1);
    memset(w, 0, sizeof *w);
    w->n_columns = 1 + cairn_random_below(&random, COLUMNS);
    for (size_t j = 0; j < w->n_columns; j++) {
        bool same = true;
        while (same) {
            make_word(&random, w->names[j]);
            same = false;
            for (size_t i = 0; i < j; i++) same = same || !strcmp(w->names[i], w->names[j]);
        }
        for (size_t r = 0; r < ROWS; r++) make_word(&random, w->cells[j][r]);
    }
}

/* A table of texts, or of levels. */
static cairn_table *make_table(cairn_context *ctx, const words *w, bool levels)
{
    cairn_table *table = NULL;
    assert_ok(ctx, cairn_table_new(ctx, &table, ROWS));
    for (size_t j = 0; j < w->n_columns; j++) {
        const char *cells[ROWS];
        for (size_t r = 0; r < ROWS; r++) cells[r] = w->cells[j][r];
        if (levels) {
            int32_t codes[ROWS];
            cairn_map names = {0};
            const char *list[ROWS];
            size_t code;
            for (size_t r = 0; r < ROWS; r++) {
                assert_ok(ctx, cairn_map_add(ctx, &names, cells[r], strlen(cells[r]), &code));
                codes[r] = (int32_t)code;
                list[code] = cells[r];
            }
            assert_ok(ctx, cairn_table_add_levels(ctx, table, w->names[j], codes, list, names.n));
            cairn_map_clear(&names);
        } else {
            assert_ok(ctx, cairn_table_add_texts(ctx, table, w->names[j], cells));
        }
    }
    return table;
}
