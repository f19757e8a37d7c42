/* SPDX-License-Identifier: MIT */
/* Makes the large data of the benchmarks from a seed:
 *
 *     generate cover  DIR [rows]   54 columns of small whole numbers and one of 7 classes
 *     generate scores DIR [rows]   a score and a class 0 or 1, as scores.npy only
 *     generate bags   DIR [rows]   30 of 5,000 items and a class 0 or 1, as bags.libsvm
 *
 * It writes NAME.csv and, for peers that read matrices, NAME.npy with the same numbers. What a
 * generator of cairn can make, bench/run makes with that. */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 64 };

static uint64_t state;

static uint64_t next_bits(void)
{
    uint64_t z = (state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static double uniform(void)
{
    return (double)(next_bits() >> 11) * 0x1.0p-53;
}

static double normal(void)
{
    double sum = 0; /* the sum of twelve is normal enough for a benchmark, and quick */
    for (int i = 0; i < 12; i++) sum += uniform();
    return sum - 6;
}

/* Both files of one table. */
typedef struct table_files {
    FILE *csv, *npy;
    int n_columns;
} table_files;

static FILE *open_file(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file) {
        perror(path);
        exit(1);
    }
    setvbuf(file, NULL, _IOFBF, 1 << 20);
    return file;
}

/* NumPy's format, version 1: a dictionary padded so that the numbers start at a multiple of 64. */
static void npy_header(FILE *file, long rows, int columns)
{
    char text[128];
    int n =
        snprintf(text, sizeof text,
                 "{'descr': '<f8', 'fortran_order': False, 'shape': (%ld, %d), }", rows, columns);
    while ((10 + n + 1) % 64) text[n++] = ' ';
    text[n++] = '\n';
    unsigned char head[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)n, 0};
    fwrite(head, 1, sizeof head, file);
    fwrite(text, 1, (size_t)n, file);
}

static table_files start(const char *folder, const char *name, long rows, int columns)
{
    char path[64];
    table_files t = {.n_columns = columns};
    snprintf(path, sizeof path, "%s.csv", name);
    t.csv = open_file(folder, path);
    snprintf(path, sizeof path, "%s.npy", name);
    t.npy = open_file(folder, path);
    npy_header(t.npy, rows, columns);
    return t;
}

static char *put_whole(char *at, long value)
{
    char digits[24];
    int n = 0;
    if (value < 0) {
        *at++ = '-';
        value = -value;
    }
    do digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    while (n) *at++ = digits[--n];
    return at;
}

static void put_row(table_files *t, const double *row)
{
    char line[MOST_COLUMNS * 32], *at = line;
    for (int c = 0; c < t->n_columns; c++) {
        at = put_whole(at, (long)row[c]);
        *at++ = c + 1 < t->n_columns ? ',' : '\n';
    }
    fwrite(line, 1, (size_t)(at - line), t->csv);
    fwrite(row, sizeof *row, (size_t)t->n_columns, t->npy);
}

static void finish(table_files *t)
{
    if (fclose(t->csv) || fclose(t->npy)) {
        perror("generate");
        exit(1);
    }
}

static void put_names(FILE *csv, int n_features, const char *target)
{
    for (int c = 0; c < n_features; c++) fprintf(csv, "x%d,", c + 1);
    fprintf(csv, "%s\n", target);
}

/* Like forest cover: ten measurements, four and forty indicators, seven unequal classes that a tree
 * can learn, with noise that it cannot. */
static void cover_row(double row[55])
{
    double height = 1850 + 2000 * uniform(), slope = 60 * uniform() * uniform();
    double water = 1400 * uniform() * uniform(), road = 7000 * uniform() * uniform();
    double fire = 7000 * uniform() * uniform(), aspect = 360 * uniform();
    double light = 200 + 40 * cos(aspect * 0.0174533) - slope + 8 * normal();
    double values[10] = {height,
                         aspect,
                         slope,
                         water,
                         water * 0.2 * normal(),
                         road,
                         light,
                         220 + 12 * normal(),
                         260 - light / 2 + 9 * normal(),
                         fire};
    for (int c = 0; c < 10; c++) row[c] = floor(values[c]);
    for (int c = 10; c < 54; c++) row[c] = 0;
    int area = (int)(uniform() * uniform() * 4),
        soil = (int)(uniform() * 40 * (0.3 + 0.7 * uniform()));
    row[10 + area] = 1;
    row[14 + soil] = 1;
    double score = (height - 1850) / 2000 * 6 + 0.3 * sin(aspect / 40) + (area - 1) * 0.5 +
                   ((soil * 7) % 11 - 5) * 0.18 + (slope > 22) * 0.7 - (road < 900) * 0.6 +
                   (fire > 3000) * 0.4 + 0.02 * normal();
    int class = (int)floor(score + 0.5);
    class = class < 1 ? 1 : class > 7 ? 7 : class;
    if (uniform() < 0.03) class = 1 + (int)(uniform() * 7);
    row[54] = class;
}

static void make_cover(const char *folder, long rows)
{
    double row[55];
    table_files t = start(folder, "cover", rows, 55);
    put_names(t.csv, 54, "class");
    for (long i = 0; i < rows; i++) {
        cover_row(row);
        put_row(&t, row);
    }
    finish(&t);
}

static void make_scores(const char *folder, long rows)
{
    FILE *file = open_file(folder, "scores.npy");
    npy_header(file, rows, 2);
    for (long i = 0; i < rows; i++) {
        double positive = uniform() < 0.3;
        double row[2] = {0.7 * uniform() + 0.3 * positive * uniform(), positive};
        fwrite(row, sizeof *row, 2, file);
    }
    if (fclose(file)) {
        perror("generate");
        exit(1);
    }
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* One in ten items counts for or against the class. */
static void make_bags(const char *folder, long rows)
{
    enum { ITEMS = 5000, HELD = 30 };
    static double weights[ITEMS];
    FILE *file = open_file(folder, "bags.libsvm");
    for (int k = 0; k < ITEMS; k++) weights[k] = uniform() < 0.1 ? normal() : 0;
    for (long i = 0; i < rows; i++) {
        int items[HELD], amounts[HELD];
        double score = 0.7 * normal();
        for (int j = 0; j < HELD; j++) items[j] = (int)(uniform() * ITEMS);
        qsort(items, HELD, sizeof *items, by_number);
        for (int j = 0; j < HELD; j++) {
            amounts[j] = 1 + (int)(uniform() * 9999);
            if (j == 0 || items[j] != items[j - 1]) score += weights[items[j]] * amounts[j] * 1e-4;
        }
        fprintf(file, "%d", score > 0);
        for (int j = 0; j < HELD; j++)
            if (j == 0 || items[j] != items[j - 1])
                fprintf(file, " %d:0.%04d", items[j] + 1, amounts[j]);
        fputc('\n', file);
    }
    if (fclose(file)) {
        perror("generate");
        exit(1);
    }
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: generate cover|scores|bags DIR [rows] [seed]\n");
        return 2;
    }
    long rows = argc > 3 ? strtol(argv[3], NULL, 10) : 0;
    state = argc > 4 ? strtoull(argv[4], NULL, 10) : 1;
    if (!strcmp(argv[1], "cover"))
        make_cover(argv[2], rows ? rows : 581012);
    else if (!strcmp(argv[1], "scores"))
        make_scores(argv[2], rows ? rows : 10000000);
    else if (!strcmp(argv[1], "bags"))
        make_bags(argv[2], rows ? rows : 200000);
    else
        return 2;
    return 0;
}
