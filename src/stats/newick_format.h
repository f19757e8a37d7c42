/* SPDX-License-Identifier: MIT */
/* Files of Newick trees, as tables of merges (stats/dendrogram_forms.h). */
#ifndef CAIRN_STATS_NEWICK_FORMAT_H
#define CAIRN_STATS_NEWICK_FORMAT_H

#include "data/format.h"

extern const cairn_data_format cairn_newick_format;

#endif
