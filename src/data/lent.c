/* SPDX-License-Identifier: MIT */
/* Memory that columns borrow, alone or together. */
#include "data/lent.h"

struct cairn_lent {
    long holders; /* atomic */
    void (*release)(void *owner);
    void *owner;
};

cairn_status cairn_lent_new(cairn_context *ctx, cairn_lent **out, void (*release)(void *owner),
                            void *owner)
{
    cairn_lent *lent;
    cairn_status status = NEW(ctx, &lent, 1);
    if (status) {
        if (release) release(owner);
        return status;
    }
    *lent = (cairn_lent){1, release, owner};
    *out = lent;
    return CAIRN_OK;
}

void cairn_lent_drop(cairn_lent *lent)
{
    if (!lent || __atomic_sub_fetch(&lent->holders, 1, __ATOMIC_ACQ_REL) > 0) return;
    if (lent->release) lent->release(lent->owner);
    cairn_free(lent);
}

void *cairn_lent_hold(cairn_lent *lent)
{
    __atomic_add_fetch(&lent->holders, 1, __ATOMIC_RELAXED);
    return lent;
}

void cairn_lent_release(void *owner)
{
    cairn_lent_drop(owner);
}

/* A column without a release function would free its values. */
static void release_nothing(void *owner)
{
    (void)owner;
}

static cairn_status make_over(cairn_context *ctx, cairn_column **out, cairn_kind kind,
                              size_t n_rows, void (*release)(void *owner), void *owner)
{
    cairn_column *column;
    if (!release) release = release_nothing;
    cairn_status status = NEW(ctx, &column, 1);
    if (status) {
        release(owner);
        return status;
    }
    *column = (cairn_column){
        .holders = 1, .kind = kind, .n_rows = n_rows, .release = release, .owner = owner};
    *out = column;
    return CAIRN_OK;
}

/* Values of a column are not written to once it is in a table, so that those of others stay as they
 * are. */
cairn_status cairn_column_over_numbers(cairn_context *ctx, cairn_column **out,
                                       const double *numbers, size_t n_rows,
                                       void (*release)(void *owner), void *owner)
{
    CHECK(make_over(ctx, out, CAIRN_NUMBER, n_rows, release, owner));
    (*out)->numbers = (double *)(uintptr_t)numbers;
    return CAIRN_OK;
}

cairn_status cairn_column_over_codes(cairn_context *ctx, cairn_column **out, const int32_t *codes,
                                     size_t n_rows, void (*release)(void *owner), void *owner)
{
    CHECK(make_over(ctx, out, CAIRN_LEVEL, n_rows, release, owner));
    (*out)->codes = (int32_t *)(uintptr_t)codes;
    return CAIRN_OK;
}
