/* SPDX-License-Identifier: MIT */
/* Runs a corpus as an ordinary test: every file as it is, cut short at many places, and with single
 * bits turned, bytes doubled and bytes removed at many places. What it does is fixed, so a failure
 * comes back. Usage: driver FOLDER-OR-FILE ... */
#include "fuzz/fuzz.h"
#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>

enum { PLACES = 400, LONGEST_PATH = 4096 };

typedef struct totals {
    size_t files, runs;
} totals;

/* A copy of exactly the right size, so that a sanitizer sees every step beyond its end. */
static void run_copy(const uint8_t *bytes, size_t size, totals *t)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) abort();
    if (size) memcpy(copy, bytes, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    t->runs++;
}

/* At up to PLACES places: a cut, a turned bit, a byte taken out, a byte put in. */
static void run_changes(uint8_t *bytes, size_t size, totals *t)
{
    size_t step = size / PLACES + 1;
    uint8_t *changed = malloc(size + 1);
    if (!changed) abort();
    for (size_t at = 0; at < size; at += step) {
        run_copy(bytes, at, t);
        bytes[at] ^= (uint8_t)(1u << (at / step) % 8);
        run_copy(bytes, size, t);
        bytes[at] ^= (uint8_t)(1u << (at / step) % 8);
        memcpy(changed, bytes, at);
        memcpy(changed + at, bytes + at + 1, size - at - 1);
        run_copy(changed, size - 1, t);
        changed[at] = bytes[at];
        memcpy(changed + at + 1, bytes + at, size - at);
        run_copy(changed, size + 1, t);
    }
    free(changed);
}

static void run_file(const char *path, totals *t)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "%s: cannot open\n", path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    long end = ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(end > 0 ? (size_t)end : 1);
    size_t size = bytes && end > 0 ? fread(bytes, 1, (size_t)end, file) : 0;
    fclose(file);
    fprintf(stderr, "%s\n", path); /* the last one named is the one that failed */
    run_copy(bytes, size, t);
    run_changes(bytes, size, t);
    free(bytes);
    t->files++;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void run_folder(const char *path, totals *t)
{
    struct dirent **names = NULL;
    int n = scandir(path, &names, is_visible, by_name);
    for (int i = 0; i < n; i++) {
        char inside[LONGEST_PATH];
        snprintf(inside, sizeof inside, "%s/%s", path, names[i]->d_name);
        run_file(inside, t);
        free(names[i]);
    }
    free(names);
}

int main(int argc, char **argv)
{
    totals t = {0};
    struct stat about;
    run_copy(NULL, 0, &t);
    for (int i = 1; i < argc; i++) {
        if (stat(argv[i], &about) == 0 && S_ISDIR(about.st_mode))
            run_folder(argv[i], &t);
        else
            run_file(argv[i], &t);
    }
    printf("%zu files, %zu runs\n", t.files, t.runs);
    return t.files ? 0 : 1; /* an empty corpus tests nothing */
}
