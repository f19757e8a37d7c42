/* SPDX-License-Identifier: MIT */
#define FORMAT "lines"
#include "fuzz/fuzz_format.h"
