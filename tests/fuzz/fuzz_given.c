/* SPDX-License-Identifier: MIT */
/* Trees and weights written by hand. */
#include "fuzz/fuzz_given.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static given_learner learners[] = {{"tree", three_classes, 0, 0},
                                       {"logistic", three_classes, 0, 0}};
    fuzz_given(learners, sizeof learners / sizeof *learners, data, size);
    return 0;
}
