/* SPDX-License-Identifier: MIT */
#define FORMAT "idx"
#include "fuzz/fuzz_format.h"
