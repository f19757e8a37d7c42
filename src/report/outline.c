/* SPDX-License-Identifier: MIT */
/* Numbers of steps while the blocks of a report are walked in order: 1, 2, 2.1, 2.2, 3. */
#include "report/document.h"
#include "base/memory.h"

enum { LABEL_ENDS = 6 }; /* parts shown at each end of a very deep number */

void cairn_outline_clear(cairn_outline *outline)
{
    cairn_free(outline->counts);
    *outline = (cairn_outline){.ctx = outline->ctx};
}

bool cairn_block_is_bracket(const cairn_block *block)
{
    return block->kind >= CAIRN_BLOCK_SPACE;
}

bool cairn_outline_follow(cairn_outline *outline, const cairn_block *block)
{
    if (block->kind == CAIRN_BLOCK_STEP_END && outline->depth) outline->depth--;
    if (block->kind == CAIRN_BLOCK_CHAPTER && outline->capacity) outline->counts[0] = 0;
    if (block->kind != CAIRN_BLOCK_STEP) return true;
    size_t known = outline->capacity;
    outline->status = GROW(outline->ctx, &outline->counts, &outline->capacity, outline->depth + 2);
    if (outline->status) return false;
    for (size_t i = known; i < outline->capacity; i++) outline->counts[i] = 0;
    outline->counts[outline->depth++]++;
    outline->counts[outline->depth] = 0;
    outline->total++;
    return true;
}

void cairn_outline_add_label(const cairn_outline *outline, cairn_text *out)
{
    for (size_t i = 0; i < outline->depth; i++) {
        if (i) cairn_text_add_char(out, '.');
        if (i == LABEL_ENDS && outline->depth > 2 * LABEL_ENDS) {
            cairn_text_add(out, "….");
            i = outline->depth - LABEL_ENDS;
        }
        cairn_text_addf(out, "%zu", outline->counts[i]);
    }
}
