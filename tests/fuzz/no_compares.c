/* SPDX-License-Identifier: MIT */
/* What libFuzzer would see of comparisons of strings and blocks, for the fuzzers that do not follow
 * them (CAIRN_FUZZ_COMPARES=OFF): these take the place of its own functions, which take a tenth of
 * the time of many fuzzers. The sanitizers still look at what is compared. */
#include <stddef.h>

#pragma GCC diagnostic ignored "-Wunused-parameter" /* they do nothing */

#define NO_HOOK(NAME, ...)                                                                         \
    void __wrap___sanitizer_weak_hook_##NAME(__VA_ARGS__);                                         \
    void __wrap___sanitizer_weak_hook_##NAME(__VA_ARGS__)                                          \
    {                                                                                              \
    }

NO_HOOK(memcmp, void *caller, const void *a, const void *b, size_t n, int result)
NO_HOOK(strcmp, void *caller, const char *a, const char *b, int result)
NO_HOOK(strncmp, void *caller, const char *a, const char *b, size_t n, int result)
NO_HOOK(strcasecmp, void *caller, const char *a, const char *b, int result)
NO_HOOK(strncasecmp, void *caller, const char *a, const char *b, size_t n, int result)
NO_HOOK(strstr, void *caller, const char *a, const char *b, char *result)
