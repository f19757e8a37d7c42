/* SPDX-License-Identifier: MIT */
/* Numbers as text: what is accepted reads as the C library reads it, and prints so that it reads
 * back as the same number. */
#include "fuzz/fuzz.h"
#include "base/number.h"
#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    double ours, back;
    int64_t whole;
    size_t bytes;
    if (cairn_number_parse(text, size, &ours)) {
        double theirs = strtod(text, NULL);
        if (memcmp(&ours, &theirs, sizeof ours) && !(isnan(ours) && isnan(theirs))) abort();
        char out[CAIRN_NUMBER_SIZE];
        for (int digits = 0; digits <= 17; digits++) {
            size_t n = cairn_number_format(out, ours, digits);
            if (n != strlen(out) || n >= CAIRN_NUMBER_SIZE) abort();
            if (!cairn_number_parse(out, n, &back)) abort();
            if ((digits == 0 || digits == 17) && !(back == ours || isnan(ours))) abort();
        }
        for (int places = 0; places < 25; places++)
            if (cairn_number_fixed(out, ours, places) != strlen(out)) abort();
    }
    if (cairn_integer_parse(text, size, &whole) && whole != strtoll(text, NULL, 10)) abort();
    if (cairn_size_parse(text, &bytes) && bytes > (size_t)INT64_MAX) abort();
    free(text);
    return 0;
}
