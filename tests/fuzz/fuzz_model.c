/* SPDX-License-Identifier: MIT */
/* Model files. Checksums would keep a fuzzer at the door, so every input is tried as it is and once
 * more with its checksums put right. */
#include "fuzz/model_use.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = (uint8_t *)fuzz_text(data, size);
    try_model(data, size);
    repair(copy, size);
    try_model(copy, size);
    free(copy);
    return 0;
}
