/* SPDX-License-Identifier: MIT */
/* Plain loops over hidden Markov models, one step after the other, as a textbook has them:
 *
 *     hmm symbols MODEL STEPS n    n iterations of Baum and Welch, scaled; a letter in each line
 *     hmm numbers MODEL STEPS n    the same for vectors; numbers between commas in each line
 *     hmm viterbi MODEL STEPS      the most probable path, in logarithms
 *
 * MODEL is in Cairn's text form, states in order; the first line of STEPS is a header. Prints one
 * line of JSON with the seconds of the loops alone and the log-likelihood, or that of the path. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 32 };

static int n, n_symbols, d;
static double start[MOST], move[MOST][MOST], emit[MOST][MOST];
static double mean[MOST][MOST], covariance[MOST][MOST][MOST];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int read_row(double *out)
{
    char *word;
    int k = 0;
    while ((word = strtok(NULL, " \n"))) out[k++] = strtod(word, NULL);
    return k;
}

static void read_model(const char *path)
{
    static char line[65536];
    int from = 0, emits = 0, means = 0, covariances = 0;
    FILE *file = fopen(path, "r");
    if (!file) exit(1);
    while (fgets(line, sizeof line, file)) {
        char *kind = strtok(line, " \n");
        if (!kind) continue;
        if (!strcmp(kind, "start")) {
            n = read_row(start);
            continue;
        }
        if (!strcmp(kind, "states") || !strcmp(kind, "symbols")) continue;
        strtok(NULL, " \n");
        if (!strcmp(kind, "from")) read_row(move[from++]);
        if (!strcmp(kind, "emit")) n_symbols = read_row(emit[emits++]);
        if (!strcmp(kind, "mean")) d = read_row(mean[means++]);
        if (!strcmp(kind, "covariance")) {
            double row[MOST * MOST];
            read_row(row);
            for (int k = 0; k < d; k++)
                for (int l = 0; l < d; l++) covariance[covariances][k][l] = row[k * d + l];
            covariances++;
        }
    }
    fclose(file);
}

/* All lines behind the header: letters from a, or numbers. */
static size_t read_steps(const char *path, int **symbols, double **numbers)
{
    static char line[4096];
    size_t steps = 0, buffer = 0;
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, sizeof line, file)) exit(1);
    while (fgets(line, sizeof line, file)) {
        if (steps == buffer) {
            buffer = buffer ? 2 * buffer : 1 << 16;
            if (!d) *symbols = realloc(*symbols, buffer * sizeof **symbols);
            if (d) *numbers = realloc(*numbers, buffer * (size_t)d * sizeof **numbers);
        }
        char *at = line;
        for (int k = 0; k < d; k++, at++)
            (*numbers)[steps * (size_t)d + (size_t)k] = strtod(at, &at);
        if (!d) (*symbols)[steps] = *at - 'a';
        steps++;
    }
    fclose(file);
    return steps;
}

/* -- Baum and Welch -- */

/* The inverse of the lower factor and ln of the density's factor. */
static double factorise(double (*c)[MOST], double (*inverse)[MOST])
{
    double l[MOST][MOST] = {{0}}, log_factor = -0.5 * d * log(2 * M_PI);
    for (int i = 0; i < d; i++)
        for (int j = 0; j <= i; j++) {
            double sum = c[i][j];
            for (int k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
            l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
        }
    for (int j = 0; j < d; j++) {
        log_factor -= log(l[j][j]);
        for (int i = j; i < d; i++) {
            double sum = i == j;
            for (int k = j; k < i; k++) sum -= l[i][k] * inverse[k][j];
            inverse[i][j] = sum / l[i][i];
        }
    }
    return log_factor;
}

static void densities(double *b, const double *x, size_t steps)
{
    static double inverse[MOST][MOST][MOST];
    double factor[MOST];
    for (int j = 0; j < n; j++) factor[j] = factorise(covariance[j], inverse[j]);
    for (size_t t = 0; t < steps; t++)
        for (int j = 0; j < n; j++) {
            double square = 0;
            for (int k = 0; k < d; k++) {
                double z = 0;
                for (int l = 0; l <= k; l++)
                    z += inverse[j][k][l] * (x[t * (size_t)d + (size_t)l] - mean[j][l]);
                square += z * z;
            }
            b[t * (size_t)n + (size_t)j] = exp(factor[j] - square / 2);
        }
}

static void fill_b(double *b, const int *symbols, const double *numbers, size_t steps)
{
    if (d) {
        densities(b, numbers, steps);
        return;
    }
    for (size_t t = 0; t < steps; t++)
        for (int j = 0; j < n; j++) b[t * (size_t)n + (size_t)j] = emit[j][symbols[t]];
}

static double forward(double *alpha, double *scale, const double *b, size_t steps)
{
    double log_likelihood = 0;
    for (size_t t = 0; t < steps; t++) {
        double *to = alpha + t * (size_t)n, sum = 0;
        for (int j = 0; j < n; j++) {
            double reach = t ? 0 : start[j];
            for (int i = 0; t && i < n; i++) reach += to[i - n] * move[i][j];
            to[j] = reach * b[t * (size_t)n + (size_t)j];
            sum += to[j];
        }
        for (int j = 0; j < n; j++) to[j] /= sum;
        scale[t] = sum;
        log_likelihood += log(sum);
    }
    return log_likelihood;
}

static double counts[MOST][MOST], moves[MOST][MOST], weight[MOST];
static double sums[MOST][MOST], products[MOST][MOST][MOST];

static void add_step(const int *symbols, const double *numbers, const double *gamma, size_t t)
{
    const double *x = d ? numbers + t * (size_t)d : NULL;
    for (int j = 0; j < n; j++) {
        weight[j] += gamma[j];
        if (!d) counts[j][symbols[t]] += gamma[j];
        for (int k = 0; k < d; k++) {
            sums[j][k] += gamma[j] * x[k];
            for (int l = 0; l <= k; l++) products[j][k][l] += gamma[j] * x[k] * x[l];
        }
    }
}

static void backward(const double *alpha, const double *scale, const double *b, const int *symbols,
                     const double *numbers, size_t steps)
{
    double beta[MOST], next[MOST], gamma[MOST], w[MOST];
    memset(counts, 0, sizeof counts), memset(moves, 0, sizeof moves);
    memset(weight, 0, sizeof weight), memset(sums, 0, sizeof sums);
    memset(products, 0, sizeof products);
    for (int j = 0; j < n; j++) next[j] = 1;
    for (size_t t = steps; t-- > 0;) {
        const double *a = alpha + t * (size_t)n;
        if (t + 1 < steps) {
            for (int j = 0; j < n; j++)
                w[j] = b[(t + 1) * (size_t)n + (size_t)j] * next[j] / scale[t + 1];
            for (int i = 0; i < n; i++) {
                beta[i] = 0;
                for (int j = 0; j < n; j++) {
                    beta[i] += move[i][j] * w[j];
                    moves[i][j] += a[i] * move[i][j] * w[j];
                }
            }
        } else {
            memcpy(beta, next, sizeof beta);
        }
        for (int j = 0; j < n; j++) gamma[j] = a[j] * beta[j];
        add_step(symbols, numbers, gamma, t);
        if (!t) memcpy(start, gamma, sizeof start);
        memcpy(next, beta, sizeof next);
    }
}

static void maximise(void)
{
    for (int i = 0; i < n; i++) {
        double total = 0;
        for (int j = 0; j < n; j++) total += moves[i][j];
        for (int j = 0; j < n; j++) move[i][j] = moves[i][j] / total;
        for (int k = 0; k < n_symbols; k++) emit[i][k] = counts[i][k] / weight[i];
        for (int k = 0; k < d; k++) mean[i][k] = sums[i][k] / weight[i];
        for (int k = 0; k < d; k++)
            for (int l = 0; l <= k; l++)
                covariance[i][k][l] = covariance[i][l][k] =
                    products[i][k][l] / weight[i] - mean[i][k] * mean[i][l];
    }
}

static void baum_welch(const int *symbols, const double *numbers, size_t steps, int iterations)
{
    double *alpha = malloc(steps * (size_t)n * sizeof *alpha), log_likelihood = 0;
    double *b = malloc(steps * (size_t)n * sizeof *b), *scale = malloc(steps * sizeof *scale);
    double begin = now();
    for (int i = 0; i <= iterations; i++) {
        fill_b(b, symbols, numbers, steps);
        log_likelihood = forward(alpha, scale, b, steps);
        if (i == iterations) break;
        backward(alpha, scale, b, symbols, numbers, steps);
        maximise();
    }
    printf("{\"seconds\": %.6f, \"quality\": \"log-likelihood %.10g\"}\n", now() - begin,
           log_likelihood);
    free(alpha), free(b), free(scale);
}

/* -- Viterbi -- */

static void viterbi(const int *symbols, size_t steps)
{
    double la[MOST][MOST], lb[MOST][MOST], delta[MOST] = {0}, next[MOST], begin = now();
    unsigned char *from = malloc(steps * (size_t)n);
    int *path = malloc(steps * sizeof *path), best = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) la[i][j] = log(move[i][j]);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n_symbols; k++) lb[i][k] = log(emit[i][k]);
    for (int j = 0; j < n; j++) delta[j] = log(start[j]) + lb[j][symbols[0]];
    for (size_t t = 1; t < steps; t++) {
        for (int j = 0; j < n; j++) {
            double most = delta[0] + la[0][j];
            int where = 0;
            for (int i = 1; i < n; i++) {
                double here = delta[i] + la[i][j];
                if (here > most) most = here, where = i;
            }
            next[j] = most + lb[j][symbols[t]];
            from[t * (size_t)n + (size_t)j] = (unsigned char)where;
        }
        memcpy(delta, next, sizeof delta);
    }
    for (int j = 1; j < n; j++)
        if (delta[j] > delta[best]) best = j;
    size_t visits[MOST] = {0};
    double log_path = delta[best];
    for (size_t t = steps; t-- > 0;) {
        path[t] = best;
        visits[best]++;
        if (t) best = from[t * (size_t)n + (size_t)best];
    }
    double seconds = now() - begin;
    printf("{\"seconds\": %.6f, \"log\": %.10g, \"quality\": \"", seconds, log_path);
    for (int j = 0; j < n; j++) printf("%s%zu", j ? " " : "visits ", visits[j]);
    printf("\"}\n");
    free(from), free(path);
}

int main(int argc, char **argv)
{
    int *symbols = NULL;
    double *numbers = NULL;
    if (argc < 4) return 2;
    read_model(argv[2]);
    size_t steps = read_steps(argv[3], &symbols, &numbers);
    if (!strcmp(argv[1], "viterbi"))
        viterbi(symbols, steps);
    else
        baum_welch(symbols, numbers, steps, argc > 4 ? atoi(argv[4]) : 20);
    free(symbols), free(numbers);
    return 0;
}
