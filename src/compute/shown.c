/* SPDX-License-Identifier: MIT */
/* Parts of reports that calculators share. */
#include "compute/shown.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

void cairn_begin_intervals(cairn_report *out, const char *what, double level)
{
    char title[160], percent[CAIRN_NUMBER_SIZE];
    cairn_number_format(percent, 100 * level, 4);
    snprintf(title, sizeof title, "%.80s at the level %s%%", what, percent);
    cairn_report_table_begin(out, title, (size_t)-1);
}

cairn_status cairn_source_name(cairn_context *ctx, const char **out, const cairn_table *table)
{
    const char *source = table->source ? table->source : "table", *slash = strrchr(source, '/');
    const char *base = slash ? slash + 1 : source, *dot = strchr(base, '.');
    size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    char *name;
    cairn_status status = SCRATCH(ctx, &name, length + 1);
    if (status) return status;
    memcpy(name, base, length);
    *out = name;
    return CAIRN_OK;
}
