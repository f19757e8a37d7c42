/* SPDX-License-Identifier: MIT */
/* The registry of a fuzzer that only reads: formats and sources. It takes the place of the
 * library's, so that nothing else is linked: after every input libFuzzer looks at the counters of
 * all that is, which for the whole library takes longer than to read a small file. */
#include "registry.h"

const cairn_entry *const *cairn_registry(size_t *n)
{
    static const cairn_entry *const entries[] = {
        &cairn_arff_format.entry,   &cairn_arrow_format.entry,  &cairn_basket_format.entry,
        &cairn_c45_format.entry,    &cairn_csv_format.entry,    &cairn_folder_format.entry,
        &cairn_grid_format.entry,   &cairn_idx_format.entry,    &cairn_json_format.entry,
        &cairn_libsvm_format.entry, &cairn_lines_format.entry,  &cairn_ndjson_format.entry,
        &cairn_newick_format.entry, &cairn_npy_format.entry,    &cairn_parquet_format.entry,
        &cairn_pnm_format.entry,    &cairn_ppm_format.entry,    &cairn_tsv_format.entry,
        &cairn_xlsx_format.entry,   &cairn_duckdb_source.entry, &cairn_postgres_source.entry,
        &cairn_sqlite_source.entry,
    };
    *n = sizeof entries / sizeof *entries;
    return entries;
}
