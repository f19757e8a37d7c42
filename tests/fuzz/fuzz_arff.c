/* SPDX-License-Identifier: MIT */
#define FORMAT "arff"
#include "fuzz/fuzz_format.h"
