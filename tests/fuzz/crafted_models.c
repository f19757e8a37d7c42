/* SPDX-License-Identifier: MIT */
/* Model files that were made up with care: every number, array, text and list of names of every
 * file is changed in turn, as a writer who knows the format would, with right checksums; then many
 * pairs of such changes. What loads is put to every use.
 * Usage: crafted_models FOLDER [PAIRS [STRIDE]]; of the single changes every STRIDE-th is tried. */
#include "fuzz/craft.h"
#include "base/random.h"
#include <dirent.h>

enum { LONGEST_PATH = 4096 };

static size_t try_changed(file *f)
{
    repair(f->bytes, f->size);
    try_model(f->bytes, f->size);
    free(f->bytes);
    return 1;
}

static size_t try_each(const file *f, size_t stride)
{
    size_t runs = 0, next = 0;
    for (size_t i = 0; i < f->n_items; i++)
        for (size_t place = 0; place < N_PLACES; place++)
            for (size_t change = 0; change < N_CHANGES; change++) {
                if (next++ % stride) continue;
                file copy = copy_of(f);
                if (edit(&copy, &f->items[i], place, change))
                    runs += try_changed(&copy);
                else
                    free(copy.bytes);
            }
    return runs;
}

static size_t try_pairs(const file *f, size_t n)
{
    cairn_random random;
    cairn_random_start(&random, 20, 26);
    for (size_t k = 0; k < n; k++) {
        file copy = copy_of(f);
        for (int two = 0; two < 2; two++) {
            size_t at = (size_t)cairn_random_below(&random, f->n_items);
            (void)edit(&copy, &copy.items[at], (size_t)cairn_random_below(&random, N_PLACES),
                       (size_t)cairn_random_below(&random, N_CHANGES));
            list_items(&copy);
        }
        (void)try_changed(&copy);
    }
    return n;
}

int main(int argc, char **argv)
{
    static file f;
    struct dirent **names = NULL;
    int n = argc > 1 ? scandir(argv[1], &names, NULL, alphasort) : 0;
    size_t files = 0, runs = 0, pairs = argc > 2 ? (size_t)atoi(argv[2]) : 100;
    size_t stride = argc > 3 && atoi(argv[3]) > 0 ? (size_t)atoi(argv[3]) : 1;
    for (int i = 0; i < n; i++) {
        char path[LONGEST_PATH];
        snprintf(path, sizeof path, "%s/%s", argv[1], names[i]->d_name);
        free(names[i]);
        if (strstr(path, "/.") || !read_file(&f, path)) continue;
        fprintf(stderr, "%s\n", path); /* the last one named is the one that failed */
        list_items(&f);
        runs += try_each(&f, stride) + try_pairs(&f, pairs);
        free(f.bytes);
        files++;
    }
    free(names);
    printf("%zu files, %zu runs\n", files, runs);
    return files ? 0 : 1;
}
