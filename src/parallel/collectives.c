/* SPDX-License-Identifier: MIT */
/* The collectives of a single process: a sum, a maximum or a broadcast over one rank is the value
 * itself, so nothing moves; gathering copies, because its result belongs to the caller. */
#include "base/memory.h"
#include "parallel/parallel.h"
#include <string.h>

int cairn_rank(const cairn_context *ctx)
{
    (void)ctx;
    return 0;
}

int cairn_ranks(const cairn_context *ctx)
{
    (void)ctx;
    return 1;
}

cairn_status cairn_all_sum(cairn_context *ctx, double *values, size_t n)
{
    (void)ctx, (void)values, (void)n;
    return CAIRN_OK;
}

cairn_status cairn_all_count(cairn_context *ctx, uint64_t *values, size_t n)
{
    (void)ctx, (void)values, (void)n;
    return CAIRN_OK;
}

cairn_status cairn_all_max(cairn_context *ctx, double *values, size_t n)
{
    (void)ctx, (void)values, (void)n;
    return CAIRN_OK;
}

cairn_status cairn_broadcast(cairn_context *ctx, void *bytes, size_t n, int from)
{
    (void)bytes, (void)n;
    if (from != 0)
        return cairn_fail(ctx, CAIRN_INTERNAL, "broadcast from rank %d, but there is one rank",
                          from);
    return CAIRN_OK;
}

cairn_status cairn_all_gather(cairn_context *ctx, const void *bytes, size_t n, void **out,
                              size_t *n_out)
{
    char *copy;
    cairn_status status = NEW_RAW(ctx, &copy, n);
    if (status) return status;
    if (n) memcpy(copy, bytes, n);
    *out = copy;
    *n_out = n;
    return CAIRN_OK;
}
