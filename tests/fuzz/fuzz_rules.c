/* SPDX-License-Identifier: MIT */
/* Rules written by hand, as a list and as a set. */
#include "fuzz/fuzz_given.h"

static const char two_classes[] = "colour,x,size of it,class\n"
                                  "red,1,small,yes\ngreen,?,large,no\nblue,-3,large,yes\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static given_learner learners[] = {{"rule-list", three_classes, 0, 0},
                                       {"rule-list", two_classes, 0, 0},
                                       {"rule-set", three_classes, 0, 0}};
    fuzz_given(learners, sizeof learners / sizeof *learners, data, size);
    return 0;
}
