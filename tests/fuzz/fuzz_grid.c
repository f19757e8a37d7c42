/* SPDX-License-Identifier: MIT */
#define FORMAT "grid"
#include "fuzz/fuzz_format.h"
