/* SPDX-License-Identifier: MIT */
/* Numeric loops on plain pointers: no allocation, no failing, no context, one thread. Outputs come
 * first and do not overlap inputs. Matrices are row-major; a `stride` is the distance between the
 * starts of neighbouring rows, in doubles. Any count may be 0, any address will do.
 *
 * Each is compiled for several instruction sets (level.h) and gives the same bits at each of them:
 * sums over numbers that lie side by side have eight lanes, products that are added are fused
 * everywhere, and the order of additions depends on the shape alone. */
#ifndef CAIRN_KERNELS_KERNELS_H
#define CAIRN_KERNELS_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* Vectors of n numbers. */
double cairn_dot(const double *a, const double *b, size_t n);
double cairn_sum(const double *a, size_t n);
double cairn_squared_distance(const double *a, const double *b, size_t n);
double cairn_absolute_distance(const double *a, const double *b, size_t n); /* sum of |a - b| */
/* The largest |a - b|; NaN when one is. */
double cairn_largest_distance(const double *a, const double *b, size_t n);
/* What one pass over numbers tells. A number that is missing makes `sum` NaN; `low` and `high` are
 * then without meaning. */
typedef struct cairn_look {
    double sum, low, high; /* of none: 0, inf, -inf */
    double rest;           /* 0 when all are whole numbers (below 2^51), else above 0 or NaN */
} cairn_look;
void cairn_look_at(cairn_look *out, const double *x, size_t n);
/* y += factor * x */
void cairn_axpy(double *y, double factor, const double *x, size_t n);

/* out = a & b, n words of bits; returns how many are set. */
uint64_t cairn_bits_meet(uint64_t *out, const uint64_t *a, const uint64_t *b, size_t n);

/* out[i] = start + sum_j x[i][j] w[j] for n rows: what a linear model predicts. */
void cairn_row_dots(double *out, const double *x, size_t stride, size_t n, size_t n_columns,
                    const double *w, double start);

/* out[i] = column[rows[i]] */
void cairn_gather(double *out, const double *column, const uint32_t *rows, size_t n);

/* out[i][j] = columns[j][rows[i]], and columns[j][first + i] when rows is NULL; n rows of
 * n_columns numbers, `stride` apart. Numbers between a row's end and the next are left alone. */
void cairn_pack_rows(double *out, size_t stride, const double *const *columns, size_t n_columns,
                     const uint32_t *rows, size_t first, size_t n);

/* out[i][j] = (out[i][j] - shift[j]) * scale[j]; NULL stands for zeros and ones. */
void cairn_standardise_rows(double *out, size_t stride, size_t n, size_t n_columns,
                            const double *shift, const double *scale);

/* Add the rows' share of X'WX and X'Wy: gram[j][k] += sum_i w[i] x[i][j] x[i][k] for k >= j (the
 * upper triangle, n_columns x n_columns; the lower one is left alone), and
 * moment[j] += sum_i w[i] y[i] x[i][j]. w NULL means ones; y and moment NULL, or gram NULL, leave
 * that out. */
void cairn_gram_add(double *gram, double *moment, const double *x, size_t stride, const double *y,
                    const double *w, size_t n, size_t n_columns);

/* The products below are those of products.h. `buffer` is working memory: cairn_matmul_buffer
 * numbers for the sizes (rows of out, columns of out, terms), cairn_matmul_floats_buffer for
 * floats.
 *
 * out[j][k] += sum_i a[i][j] b[i][k] over n rows: n_a x n_b products of the columns of two blocks
 * of the same rows. A block against itself (a == b, n_a == n_b) gives the upper triangle; the rest
 * of the square is left alone. The second makes the sums of numbers that are kept as float anew. */
void cairn_cross_add(double *out, size_t out_stride, const double *a, const double *b,
                     size_t stride, size_t n, size_t n_a, size_t n_b, double *buffer);
void cairn_cross_floats(float *out, size_t out_stride, const float *a, const float *b,
                        size_t stride, size_t n, size_t n_a, size_t n_b, float *buffer);

/* out[i][j] = sum_t a[i][t] b[j][t]: products of the rows of two blocks of n columns without gaps.
 */
void cairn_row_products_floats(float *out, size_t out_stride, const float *a, size_t n_a,
                               const float *b, size_t n_b, size_t n, float *buffer);

/* The indices i, rising, of n for which norms[i] - 2 dots[i] <= limit; returns how many. */
size_t cairn_find_below(uint32_t *out, const float *dots, const float *norms, size_t n,
                        float limit);

/* How the difference of two points adds up over columns. */
typedef enum cairn_summing {
    CAIRN_SUM_SQUARES,
    CAIRN_SUM_ABSOLUTES,
    CAIRN_SUM_LARGEST
} cairn_summing;
enum { CAIRN_LEAF = 32 };

/* CAIRN_LEAF points by columns (n_columns x CAIRN_LEAF) against a query: their sums, and bit l is
 * set when that of point l is at most the limit. Sums are those of a plain loop over the columns,
 * to the last bit. */
uint32_t cairn_leaf_sums(double *sums, const double *points, const double *query, size_t n_columns,
                         double limit, cairn_summing summing);

/* out[i][k] = sum_j x[i][j] w[j][k] for n rows: n_columns x n_out factors. */
void cairn_rows_product(double *out, size_t out_stride, const double *x, size_t stride, size_t n,
                        size_t n_columns, const double *w, size_t w_stride, size_t n_out,
                        double *buffer);
/* out[j][k] += sum_i a[i][j] b[i][k] over n rows, as cairn_cross_add, of blocks whose rows have
 * strides of their own. */
void cairn_transposed_product_add(double *out, size_t out_stride, const double *a, size_t a_stride,
                                  const double *b, size_t b_stride, size_t n, size_t n_a,
                                  size_t n_b, double *buffer);

/* Two classes: for scores a and signs (1 = the class that the score speaks for, -1 = the other) the
 * residuals p - y with p = 1 / (1 + exp(-a)), and p (1 - p). The sums are added to (least and most
 * are compared); `wrong` counts rows whose margin sign * a is at most `sure`. `rest` may be `a`. */
typedef struct cairn_sigmoid_sums {
    double loss;         /* of -ln p(class of the row) */
    double right, wrong; /* rows with a margin above 0, not above `sure` */
    double least, most;  /* margins */
} cairn_sigmoid_sums;
void cairn_sigmoids(double *rest, double *curve, cairn_sigmoid_sums *sums, const double *a,
                    const double *signs, size_t n, double sure);

/* Some columns of a sparse matrix: column items[i] has values[e] in row rows[e] for e from
 * starts[i] up to starts[i + 1]. */
typedef struct cairn_sparse {
    size_t n_items;
    const int32_t *items;
    const uint32_t *starts; /* n_items + 1 */
    const uint32_t *rows;
    const double *values;
} cairn_sparse;
/* out[row] += value * w[item] for every entry, and out[item] += value * r[row]; rows of out, w and
 * r have `stride` numbers, which is 1 or a multiple of 4. */
void cairn_sparse_times(double *out, size_t stride, const cairn_sparse *sparse, const double *w);
void cairn_sparse_transposed(double *out, size_t stride, const cairn_sparse *sparse,
                             const double *r);

/* Copy the upper triangle of an n x n matrix to its lower one. */
void cairn_mirror_upper(double *matrix, size_t n);

/* For each of n rows the nearest of n_centres centres (n_centres x n_columns, no gaps) and its
 * squared distance, summed over the squared differences themselves and for every centre in the same
 * order: equal centres tie exactly, squared distances that differ by a part in 1e12 tie too, and a
 * tie goes to the first. A row's result does not depend on the rows around it. Rows or centres that
 * are not finite give centre 0 at worst, never a number out of range. `distances` may be NULL.
 * n_centres is at least 1. */
void cairn_nearest_centres(int32_t *nearest, double *distances, const double *x, size_t stride,
                           size_t n, size_t n_columns, const double *centres, size_t n_centres);

/* The same, and the squared distance of the second-nearest centre, infinite when there is one
 * centre only. */
void cairn_nearest_two_centres(int32_t *nearest, double *distances, double *seconds,
                               const double *x, size_t stride, size_t n, size_t n_columns,
                               const double *centres, size_t n_centres);

/* In row order: sums[nearest[i]] += w[i] * x[i], weights[nearest[i]] += w[i]; w NULL means ones;
 * rows whose nearest is negative are passed over. sums is n_centres x n_columns. */
void cairn_centre_sums_add(double *sums, double *weights, const double *x, size_t stride, size_t n,
                           size_t n_columns, const int32_t *nearest, const double *w);

/* In row order, with d = x[i] - shift[c] for the class c of row i: sums[c] += w[i] d and
 * squares[c] += w[i] d d, column by column; w NULL means ones; rows of a negative class are passed
 * over. sums, squares and shift are n_classes x n_columns. */
void cairn_class_moments_add(double *sums, double *squares, const double *x, size_t stride,
                             size_t n, size_t n_columns, const int32_t *classes, const double *w,
                             const double *shift);

/* out[i] = - sum_j ((columns[j][first + i] - means[j]) * rates[j])^2 for n rows: with rates
 * 1 / (sd sqrt 2), the logarithm of a product of normal densities but for its constant. A row's
 * result does not depend on the rows around it. */
void cairn_normal_logs(double *out, const double *const *columns, size_t first, size_t n,
                       size_t n_columns, const double *means, const double *rates);

/* out[c * stride + i] = planes[n_columns][c] + sum_j (columns[j][first + i] - centre[j]) *
 * planes[j][c] for n rows and every class; planes are (n_columns + 1) x n_classes. A row's result
 * does not depend on the rows around it. */
void cairn_plane_scores(double *out, size_t stride, const double *const *columns, size_t first,
                        size_t n, size_t n_columns, const double *centre, const double *planes,
                        size_t n_classes);

/* out[i] = sum_j (sum_k<=j z[k][i] * factor[k][j] - offset[j])^2 for n rows, a multiple of 32: z is
 * n_columns x n, the factor n_columns x n_columns with zeros below its diagonal. A row's result
 * does not depend on the rows around it. */
void cairn_normal_squares(double *out, const double *z, size_t n, size_t n_columns,
                          const double *factor, const double *offset);

#endif
