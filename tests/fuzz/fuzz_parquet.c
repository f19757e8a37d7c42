/* SPDX-License-Identifier: MIT */
#define FORMAT "parquet"
#include "fuzz/fuzz_format.h"
