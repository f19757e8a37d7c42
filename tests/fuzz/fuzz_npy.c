/* SPDX-License-Identifier: MIT */
#define FORMAT "npy"
#include "fuzz/fuzz_format.h"
