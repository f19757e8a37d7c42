/* SPDX-License-Identifier: MIT */
#define FORMAT "newick"
#include "fuzz/fuzz_format.h"
