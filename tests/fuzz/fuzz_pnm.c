/* SPDX-License-Identifier: MIT */
#define FORMAT "pnm"
#include "fuzz/fuzz_format.h"
