/* SPDX-License-Identifier: MIT */
/* Trees and weights written by hand. */
#include "fuzz/fuzz_given.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static cairn_table *three;
    fuzz_given("tree", three_classes, &three, data, size);
    fuzz_given("logistic", three_classes, &three, data, size);
    return 0;
}
