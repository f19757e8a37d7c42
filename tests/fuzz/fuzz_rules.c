/* SPDX-License-Identifier: MIT */
/* Rules written by hand, as a list and as a set. */
#include "fuzz/fuzz_given.h"

static const char two_classes[] = "colour,x,size of it,class\n"
                                  "red,1,small,yes\ngreen,?,large,no\nblue,-3,large,yes\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static cairn_table *three, *two;
    fuzz_given("rule-list", three_classes, &three, data, size);
    fuzz_given("rule-list", two_classes, &two, data, size);
    fuzz_given("rule-set", three_classes, &three, data, size);
    return 0;
}
