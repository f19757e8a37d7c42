/* SPDX-License-Identifier: MIT */
/* A program with routines of its own that are called like those of BLAS and LAPACK, as one that
 * links another BLAS has: they must neither collide with the library's nor be called by it. */
#include <cairn/run.h>
#include <stdio.h>
#include <stdlib.h>

void dgemm_(void);
void dpotrf_(void);
void xerbla_(void);

void dgemm_(void)
{
    abort();
}

void dpotrf_(void)
{
    abort();
}

void xerbla_(void)
{
    abort();
}

int main(void)
{
    const char *const words[] = {"fit", "linear", "@cars"};
    cairn_context *ctx;
    cairn_report *report;
    if (cairn_context_new(&ctx, NULL)) return 1;
    if (cairn_report_new(ctx, &report) || cairn_run(ctx, report, 3, words)) {
        fputs(cairn_message(ctx), stderr);
        return 1;
    }
    cairn_report_free(report);
    cairn_context_free(ctx);
    return puts(cairn_version()) < 0;
}
