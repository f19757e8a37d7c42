/* SPDX-License-Identifier: MIT */
#define FORMAT "arrow"
#include "fuzz/fuzz_format.h"
