/* SPDX-License-Identifier: MIT */
#define FORMAT "libsvm"
#include "fuzz/fuzz_format.h"
