/* SPDX-License-Identifier: MIT */
/* Lessons of any bytes: what is read can be drawn with other numbers, and answers can be read.
 * Commands are not run. */
#include "fuzz/fuzz.h"
#include "command/lesson.h"

/* The bytes as the answer of a reader: a number that is compared with itself is right. */
static void read_answer(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    double value, slack;
    cairn_asked asked = {.value = "x", .label = "x", .tolerance = 1e-9};
    if (cairn_answer_read(text, &value, &slack) && !cairn_answer_right(&asked, text, value))
        abort();
    (void)cairn_answer_same_word(text, "two words");
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cairn_context *ctx = fuzz_begin();
    cairn_lesson lesson, turn;
    cairn_status status = cairn_lesson_parse(ctx, &lesson, "fuzz", (const char *)data, size);
    fuzz_check(ctx, status);
    if (status == CAIRN_OK) {
        status = cairn_lesson_draw(ctx, &turn, &lesson, 1, 0);
        fuzz_check(ctx, status);
        if (status == CAIRN_OK) cairn_lesson_clear(&turn);
        cairn_lesson_clear(&lesson);
    }
    if (size < 100) read_answer(data, size);
    fuzz_end();
    return 0;
}
