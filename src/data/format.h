/* SPDX-License-Identifier: MIT */
/* Formats of data files: entries of kind CAIRN_ENTRY_FORMAT, listed in src/registry.c.
 *
 * A reader gets an open input (plain, gzip and zstd look the same), the options in full and a clean
 * context; it makes the table and need not set its source. `options->kinds` is applied by the
 * caller afterwards, so a reader uses it only where it saves work; roles are set by the caller. */
#ifndef CAIRN_DATA_FORMAT_H
#define CAIRN_DATA_FORMAT_H

#include "base/file.h"
#include "data/table.h"
#include "entry/entry.h"

typedef struct cairn_data_format {
    cairn_entry entry;
    const char *extensions; /* separated by blanks, without dots: "csv txt"; NULL = none */
    /* Whether the first bytes (or the name) are of this format. Asked when no format claims the
     * name's extension; NULL = never. `name` may be NULL. */
    bool (*detect)(const char *name, const char *head, size_t n);
    CAIRN_CHECKED cairn_status (*read)(cairn_context *ctx, cairn_table **out, cairn_input *input,
                                       const cairn_read_options *options);
    /* For a path that is a folder; NULL = the format has no use for one. */
    CAIRN_CHECKED cairn_status (*read_folder)(cairn_context *ctx, cairn_table **out,
                                              const char *path, const cairn_read_options *options);
    /* NULL = cannot be written. */
    CAIRN_CHECKED cairn_status (*write)(cairn_context *ctx, const cairn_table *table,
                                        cairn_output_file *file);
    const char
        *heeds; /* of the options separator, skip, comment, thousands and bad-lines those that
                        * it has a use for, separated by blanks; NULL = none */
    const struct cairn_plugin_format
        *plugin; /* NULL = of the library; else its functions are called
                                               * (data/own_format.h) */
} cairn_data_format;

/* Read and write with a format, the library's or a program's own. */
CAIRN_CHECKED cairn_status cairn_format_read(cairn_context *ctx, const cairn_data_format *format,
                                             cairn_table **out, cairn_input *input,
                                             const cairn_read_options *options);
bool cairn_format_writes(const cairn_data_format *format);
CAIRN_CHECKED cairn_status cairn_format_write(cairn_context *ctx, const cairn_data_format *format,
                                              const cairn_table *table, cairn_output_file *file);

/* The format of that name; fails (CAIRN_USAGE) with a suggestion. */
CAIRN_CHECKED cairn_status cairn_format_get(cairn_context *ctx, const cairn_data_format **out,
                                            const char *name);
/* The format that claims the extension of a file name (endings .gz, .zst and .zstd are looked
 * through), or NULL. */
const cairn_data_format *cairn_format_by_name(const cairn_context *ctx, const char *path);
/* Whether a format has a use for that option, one that `heeds` may list; NULL has for none. */
bool cairn_format_heeds(const cairn_data_format *format, const char *option);
/* By extension, then by the first bytes, else CSV. Looks at the input without consuming it. */
CAIRN_CHECKED cairn_status cairn_format_detect(cairn_context *ctx, const cairn_data_format **out,
                                               cairn_input *input);

/* Whether a file is of baskets although its ending is that of a table: its name ends with .dat
 * (.gz, .zst and .zstd are looked through), and its first lines hold whole numbers with blanks
 * between them, none of them twice, not only 0 and 1. Only for who wants transactions: elsewhere
 * such a file is a table. */
CAIRN_CHECKED cairn_status cairn_seems_baskets(cairn_context *ctx, bool *out, cairn_input *input);

/* The options of a caller (NULL = the defaults) of any version: see base/options.h. */
CAIRN_CHECKED cairn_status cairn_read_options_full(cairn_context *ctx, cairn_read_options *full,
                                                   const cairn_read_options *given);

extern const cairn_data_format cairn_arff_format;
extern const cairn_data_format cairn_arrow_format;
extern const cairn_data_format cairn_arrows_format;
extern const cairn_data_format cairn_basket_format;
extern const cairn_data_format cairn_c45_format;
extern const cairn_data_format cairn_csv_format;
extern const cairn_data_format cairn_folder_format;
extern const cairn_data_format cairn_grid_format;
extern const cairn_data_format cairn_idx_format;
extern const cairn_data_format cairn_json_format;
extern const cairn_data_format cairn_libsvm_format;
extern const cairn_data_format cairn_lines_format;
extern const cairn_data_format cairn_ndjson_format;
extern const cairn_data_format cairn_npy_format;
extern const cairn_data_format cairn_parquet_format;
extern const cairn_data_format cairn_pnm_format;
extern const cairn_data_format cairn_ppm_format;
extern const cairn_data_format cairn_tsv_format;
extern const cairn_data_format cairn_xlsx_format;

#endif
