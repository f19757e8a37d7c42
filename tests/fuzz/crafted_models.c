/* SPDX-License-Identifier: MIT */
/* Model files that were made up with care: every number, array, text and list of names of every
 * file is changed in turn, as a writer who knows the format would, with right checksums; then many
 * pairs of such changes. What loads is put to every use.
 * Usage: crafted_models FOLDER [PAIRS [STRIDE]]; of the single changes every STRIDE-th is tried. */
#include "fuzz/model_use.h"
#include "base/random.h"
#include <dirent.h>
#include <stdio.h>

enum { MOST_ITEMS = 4000, LONGEST_PATH = 4096, N_CHANGES = 11, N_PLACES = 3 };

/* Where an item of a file is. */
typedef struct item {
    size_t size_at;  /* where the length of its section's body stands */
    size_t count_at; /* where its count stands */
    size_t from, end;
    uint64_t count;
    size_t width; /* of an element; 0 = keys of a map */
    bool is_real;
} item;

typedef struct file {
    uint8_t *bytes;
    size_t size;
    item items[MOST_ITEMS];
    size_t n_items;
} file;

static size_t width_of(uint8_t type)
{
    static const uint8_t widths[] = {0, 1, 4, 8, 8, 1, 8, 4, 4, 1, 0};
    return type < sizeof widths ? widths[type] : 1;
}

static size_t end_of_keys(const file *f, size_t at, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) at += 4 + (size_t)get_number(f->bytes + at, 4);
    return at;
}

static void list_body(file *f, size_t size_at, size_t at, size_t end)
{
    while (at < end && f->n_items < MOST_ITEMS) {
        uint8_t type = f->bytes[at];
        item *x = &f->items[f->n_items++];
        *x = (item){.size_at = size_at, .count_at = at + 2 + f->bytes[at + 1]};
        x->count = get_number(f->bytes + x->count_at, 8);
        x->from = x->count_at + 8;
        x->width = width_of(type);
        x->is_real = type == 4 || type == 6;
        x->end = x->width ? x->from + x->count * x->width : end_of_keys(f, x->from, x->count);
        at = x->end;
    }
}

static void list_items(file *f)
{
    size_t end = f->size - TRAILER, at = HEADER;
    f->n_items = 0;
    while (at < end) {
        size_t name = (size_t)get_number(f->bytes + at, 4), size_at = at + 4 + name;
        size_t length = (size_t)get_number(f->bytes + size_at, 8);
        list_body(f, size_at, size_at + 16, size_at + 16 + length);
        at = size_at + 16 + length;
    }
}

/* Put `bytes` new bytes in place of those from `from` to `end`; the section grows along. */
static void splice(file *f, const item *x, size_t from, size_t end, const uint8_t *bytes, size_t n)
{
    size_t length = (size_t)get_number(f->bytes + x->size_at, 8);
    uint8_t *made = malloc(f->size + n);
    if (!made) abort();
    memcpy(made, f->bytes, from);
    if (n) memcpy(made + from, bytes, n);
    memcpy(made + from + n, f->bytes + end, f->size - end);
    f->size = f->size + n - (end - from);
    free(f->bytes);
    f->bytes = made;
    put_number(f->bytes + x->size_at, length + n - (end - from));
}

/* Another value in one element. */
static void change_element(file *f, const item *x, size_t element, size_t change)
{
    static const int64_t wholes[] = {0, 1, -1, INT32_MAX, 1000, 7};
    static const double reals[] = {0, -1, NAN, INFINITY, 1e300, 0.5};
    uint8_t *at = f->bytes + x->from + element * x->width;
    uint64_t old = get_number(at, x->width), value;
    if (x->is_real) {
        if (change < 6)
            memcpy(&value, &reals[change], 8);
        else
            value = old ^ (UINT64_C(1) << 63);
    } else {
        value = change < 6 ? (uint64_t)wholes[change] : change == 6 ? old + 1 : old - 1;
    }
    for (size_t i = 0; i < x->width; i++) at[i] = (uint8_t)(value >> (8 * i));
}

/* The last element, or the last name, once more or no longer. */
static void change_count(file *f, const item *x, bool more)
{
    size_t last = x->width ? x->end - x->width : end_of_keys(f, x->from, x->count - 1);
    uint8_t *copy = malloc(x->end - last + 1);
    if (!copy) abort();
    memcpy(copy, f->bytes + last, x->end - last);
    if (!x->width && x->end - last > 4) copy[4] ^= 1; /* names differ */
    put_number(f->bytes + x->count_at, more ? x->count + 1 : x->count - 1);
    if (more)
        splice(f, x, x->end, x->end, copy, x->end - last);
    else
        splice(f, x, last, x->end, NULL, 0);
    free(copy);
}

/* Change number `change` of an item; false where there is none. */
static bool edit(file *f, const item *x, size_t place, size_t change)
{
    if (x->count == 0) return false;
    if (change >= 8) {
        if (place || change == 10) return false;
        change_count(f, x, change == 8);
        return true;
    }
    size_t element = place == 0 ? 0 : place == 1 ? (size_t)x->count - 1 : (size_t)x->count / 2;
    if (x->width == 0 || (place && x->count < place + 1)) return false;
    change_element(f, x, element, change);
    return true;
}

static file copy_of(const file *f)
{
    file copy = *f;
    copy.bytes = malloc(f->size);
    if (!copy.bytes) abort();
    memcpy(copy.bytes, f->bytes, f->size);
    return copy;
}

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

static bool read_file(file *f, const char *path)
{
    FILE *stream = fopen(path, "rb");
    if (!stream) return false;
    fseek(stream, 0, SEEK_END);
    long end = ftell(stream);
    rewind(stream);
    f->bytes = malloc(end > 0 ? (size_t)end : 1);
    f->size = f->bytes && end > 0 ? fread(f->bytes, 1, (size_t)end, stream) : 0;
    fclose(stream);
    return f->size > HEADER + TRAILER;
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
