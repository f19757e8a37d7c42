/* SPDX-License-Identifier: MIT */
/* The smallest program on the installed library: makes a context and prints the version. */
#include <cairn/base.h>
#include <stdio.h>

int main(void)
{
    cairn_context *ctx;
    if (cairn_context_new(&ctx, NULL)) return 1;
    cairn_context_free(ctx);
    return puts(cairn_version()) < 0;
}
