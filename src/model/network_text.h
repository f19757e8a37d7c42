/* SPDX-License-Identifier: MIT */
/* Bayesian networks in the notation of the board:
 *
 *     weather = sunny/rain/snow            the values of a variable; others are true or false
 *     burglary -> alarm <lines of arcs>    earthquake -> alarm -> john, alarm -> mary
 *     P(burglary) = 0.001
 *     P(alarm | burglary, not earthquake) = 0.94
 *     P(weather | season = winter) = 0.2, 0.3, 0.5
 *     P(weather = snow | season = spring) = 0.1
 *
 * A statement ends with the line or with a semicolon, # begins a comment, names with other signs
 * than letters, digits, _ . + and - stand in quotes. What stands behind the bar is a parent. Of the
 * values of a variable one may be left out: it gets what is missing to 1. Parents that an entry
 * does not name may have any value there; of two entries the later holds. */
#ifndef CAIRN_MODEL_NETWORK_TEXT_H
#define CAIRN_MODEL_NETWORK_TEXT_H

#include "model/given.h"
#include "stats/bayes_network.h"

/* `names` is scratch. */
typedef struct cairn_typed_network {
    cairn_network net;
    cairn_network_names names;
    bool whole; /* every table is given; else rows that are not hold NaN */
} cairn_typed_network;

/* Read a network. With `fixed` (may be NULL) the variables and values are those, `n_values` of each
 * of n, and others fail with a suggestion; tables may then be left open. */
CAIRN_CHECKED cairn_status cairn_network_read(cairn_context *ctx, cairn_typed_network *out,
                                              const cairn_given *given,
                                              const cairn_network_names *fixed,
                                              const int32_t *n_values, size_t n);
void cairn_typed_network_clear(cairn_typed_network *typed);

/* Write it so that it can be read again. */
void cairn_network_write(cairn_text *out, const cairn_network *net,
                         const cairn_network_names *names);

/* The value that means true, -1 where there is none. */
int32_t cairn_network_truth(const cairn_network_names *names, const int32_t *n_values, size_t v);
/* The variable of that name, or -1; `length` bytes. */
ptrdiff_t cairn_network_find(const cairn_network_names *names, size_t n, const char *name,
                             size_t length);

/* Values that are typed as "burglary, not earthquake, weather = rain", into `evidence` (n, which
 * has CAIRN_UNOBSERVED elsewhere). `simple` gets false, and nothing is set, when it is another kind
 * of proposition. A name that is not there fails with a suggestion, `option` begins the message. */
CAIRN_CHECKED cairn_status cairn_network_evidence(cairn_context *ctx, int32_t *evidence,
                                                  bool *simple, const char *option,
                                                  const char *text, const cairn_network *net,
                                                  const cairn_network_names *names);

#endif
