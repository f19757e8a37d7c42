/* SPDX-License-Identifier: MIT */
#include "model/by_distance.h"
#include "model/learner.h"
#include "stats/distance.h"

unsigned cairn_distance_accepts(const char *spec)
{
    const cairn_distance *d = cairn_distance_named(spec);
    unsigned accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_DISTANCES;
    if (!d) return accepts;
    if (d->takes & CAIRN_DISTANCE_LEVELS) accepts |= CAIRN_ACCEPTS_LEVELS;
    if (d->takes & CAIRN_DISTANCE_MISSING) accepts |= CAIRN_ACCEPTS_MISSING;
    if (d->takes & CAIRN_DISTANCE_TEXTS) accepts |= CAIRN_ACCEPTS_TEXTS | CAIRN_ACCEPTS_SEQUENCES;
    if (d->takes & CAIRN_DISTANCE_BAGS) accepts |= CAIRN_ACCEPTS_BAGS;
    if (d->scale_matters) accepts |= CAIRN_USES_DISTANCES | CAIRN_WANTS_SCALING;
    return accepts;
}
