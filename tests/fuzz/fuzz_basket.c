/* SPDX-License-Identifier: MIT */
#define FORMAT "basket"
#include "fuzz/fuzz_format.h"
