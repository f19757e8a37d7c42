/* SPDX-License-Identifier: MIT */
/* Blocking and threads for one type; included by products.c and products_floats.c, so it has no
 * guard. Nothing here touches the order of a sum, except run_split(), and that looks at the shape
 * only. */

enum {
    MAX_COLUMNS = 4096,       /* of B packed at a time for several threads */
    B_BYTES = 1 << 20,        /* packed panels of B shared by the threads, third-level cache */
    ALONE_BYTES = 2 << 20,    /* packed panels of B of a thread alone */
    A_BYTES = 256 << 10,      /* packed block of A of one thread, second-level cache */
    SLACK = 16,               /* elements that a pack may write too many */
    SHORT_ROW = 1024,         /* bytes between rows up to which A is read where it is */
    SPLIT_RESULT = 256 * 256, /* results this small are split along k ... */
    SPLIT_PANELS = 16,        /* ... into blocks of at least so many panels */
    SPLIT_BLOCKS = 64         /* ... and at most so many blocks */
};

/* How a product is cut: columns [j0, j1) and terms [k0, k1) are at hand. */
typedef struct cut {
    const PRODUCT *p;
    const kernels *kernel;
    size_t panel, columns, group; /* terms of a panel; columns and panels packed at a time */
    size_t block, a_size;         /* rows of a task; numbers in a worker's share of `a` */
    REAL *b, *a;
    size_t j0, j1, k0, k1;
} cut;

/* Numbers in the packed part of B. */
static size_t b_size(const cut *c)
{
    return c->group * c->columns * c->panel + SLACK;
}

/* `most` columns of B at a time, `bytes` of it; rows so that each of the workers finds tasks. */
static cut cut_for(const PRODUCT *p, size_t workers, size_t most, size_t bytes)
{
    const kernels *kernel = chosen_kernels();
    size_t panel = panel_of(p->k), width = kernel->width, rows = kernel->rows;
    size_t strips = ceiling(smaller(p->n, most), width), all = ceiling(p->m, rows);
    size_t group = bytes / (strips * width * panel * sizeof(REAL));
    size_t tiles = A_BYTES / (panel * sizeof(REAL) * rows);
    group = smaller(group ? group : 1, ceiling(p->k, panel));
    tiles = smaller(tiles, workers > 1 ? ceiling(all, 4 * workers) : all);
    cut c = {.p = p, .kernel = kernel, .panel = panel, .columns = strips * width, .group = group};
    c.block = (tiles ? tiles : 1) * rows;
    c.a_size = c.block * panel + SLACK;
    return c;
}

/* Packs rows [i0, i1) of A's panel of `depth` terms from k on. */
static void pack_rows(const cut *c, size_t i0, size_t i1, size_t k, size_t depth, REAL *out)
{
    const PRODUCT *p = c->p;
    size_t rows = c->kernel->rows, run = p->a_k == 1 ? depth : RUN; /* as memory holds them */
    for (size_t t = 0; t < depth; t += run)
        for (size_t i = i0; i < i1; i += rows)
            c->kernel->pack_left(out + (i - i0) * c->panel + t * rows,
                                 p->a + i * p->a_i + (k + t) * p->a_k, p->a_i, p->a_k,
                                 smaller(i1 - i, rows), smaller(depth - t, run));
}

/* Rows [i0, i1) of C against what is packed of B. */
static void rows_task(void *data, size_t task, size_t i0, size_t i1, int worker)
{
    (void)task;
    const cut *c = data;
    const PRODUCT *p = c->p;
    size_t width = c->kernel->width, rows = c->kernel->rows;
    bool in_place = p->a_i == 1 && p->a_k * sizeof(REAL) <= SHORT_ROW;
    REAL *packed = c->a + (size_t)worker * c->a_size;
    const REAL *b = c->b;
    if (p->upper && c->j1 <= i0) return;
    for (size_t i = i0; p->set && c->k0 == 0 && i < i1; i++) {
        size_t from = p->upper && i > c->j0 ? smaller(i, c->j1) : c->j0;
        memset(p->c + i * p->c_i + from, 0, (c->j1 - from) * sizeof(REAL));
    }
    for (size_t k = c->k0; k < c->k1; k += c->panel) {
        size_t depth = smaller(c->k1 - k, c->panel);
        const REAL *a = in_place ? p->a + i0 + k * p->a_k : packed;
        size_t a_k = in_place ? p->a_k : rows, a_panel = rows * (in_place ? 1 : c->panel);
        if (!in_place) pack_rows(c, i0, i1, k, depth, packed);
        for (size_t j = c->j0; j < c->j1; j += width, b += width * c->panel)
            c->kernel->strip(p, i0, i1, j, smaller(j + width, c->j1), a, a_k, a_panel, b, depth,
                             k + depth == p->k);
    }
}

/* How many pieces packing B is cut into, and one of them, in the order in which memory holds them:
 * a strip if k runs along B's rows, else RUN whole rows. */
static size_t n_pieces(const cut *c)
{
    if (c->p->b_k != 1) return ceiling(c->k1 - c->k0, RUN);
    return ceiling(c->k1 - c->k0, c->panel) * ceiling(c->j1 - c->j0, c->kernel->width);
}

static void pack_piece(void *data, size_t t, size_t begin, size_t end, int worker)
{
    (void)begin, (void)end, (void)worker;
    const cut *c = data;
    const PRODUCT *p = c->p;
    size_t width = c->kernel->width, strips = ceiling(c->j1 - c->j0, width);
    bool by_strip = p->b_k == 1;
    size_t k = by_strip ? t / strips * c->panel : t * RUN; /* counted from k0 */
    size_t j = c->j0 + (by_strip ? t % strips * width : 0);
    size_t last = by_strip ? smaller(c->j1, j + width) : c->j1;
    size_t depth = smaller(c->k1 - c->k0 - k, by_strip ? c->panel : RUN);
    REAL *b = c->b + k / c->panel * strips * width * c->panel + k % c->panel * width;
    for (; j < last; j += width)
        c->kernel->pack_right(b + (j - c->j0) * c->panel, p->b + j * p->b_j + (c->k0 + k) * p->b_k,
                              p->b_j, p->b_k, smaller(c->j1 - j, width), depth);
}

static void take_next(cut *c, size_t j0, size_t k0)
{
    c->j0 = j0, c->j1 = smaller(j0 + c->columns, c->p->n);
    c->k0 = k0, c->k1 = smaller(k0 + c->group * c->panel, c->p->k);
}

/* No terms: C = 0 or as it is, and finished. True when there is nothing more to do. */
static bool run_empty(const PRODUCT *p)
{
    static const REAL zero[1] = {0};
    PRODUCT one = *p;
    if (p->m == 0 || p->n == 0) return true;
    if (p->k) return false;
    if (!p->set) return true;
    for (size_t i = 0; i < p->m; i++)
        memset(p->c + i * p->c_i + (p->upper ? i : 0), 0,
               (p->n - (p->upper ? i : 0)) * sizeof(REAL));
    if (!p->finish) return true;
    one.a = one.b = zero;
    one.alpha = 1;
    one.a_i = one.a_k = one.b_k = one.b_j = 0;
    for (size_t j = 0; j < p->n; j += chosen_kernels()->width)
        chosen_kernels()->strip(&one, 0, p->m, j, smaller(j + chosen_kernels()->width, p->n), zero,
                                0, 0, zero, 0, true);
    return true;
}

static void run_alone(const PRODUCT *p, REAL *buffer)
{
    size_t most = ALONE_BYTES / (panel_of(p->k) * sizeof(REAL));
    cut c = cut_for(p, 1, most, ALONE_BYTES);
    c.b = buffer;
    c.a = buffer + b_size(&c);
    for (size_t j0 = 0; j0 < p->n; j0 += c.columns)
        for (size_t k0 = 0; k0 < p->k; k0 += c.group * c.panel) {
            take_next(&c, j0, k0);
            for (size_t t = 0, n = n_pieces(&c); t < n; t++) pack_piece(&c, t, t, t + 1, 0);
            for (size_t i = 0; i < p->m; i += c.block)
                rows_task(&c, 0, i, smaller(i + c.block, p->m), 0);
        }
}

void JOIN(PRODUCT, alone)(const PRODUCT *p, REAL *buffer)
{
    if (!run_empty(p)) run_alone(p, buffer);
}

/* A bound that grows with every size, which panel_of does not: panels waste less than a double. */
size_t JOIN(PRODUCT, buffer)(size_t m, size_t n, size_t k)
{
    const kernels *kernel = chosen_kernels();
    size_t depth = (ceiling(k, RUN) + 1) * RUN;
    size_t columns = ceiling(n, kernel->width) * kernel->width;
    size_t rows = ceiling(m, kernel->rows) * kernel->rows;
    size_t most_b = (ALONE_BYTES + MAX_PANEL * kernel->width * sizeof(REAL)) / sizeof(REAL);
    size_t most_a = (A_BYTES + MAX_PANEL * kernel->rows * sizeof(REAL)) / sizeof(REAL);
    return smaller(cairn_product(columns, 2 * depth), most_b) +
           smaller(cairn_product(rows, smaller(depth, MAX_PANEL)), most_a) + 2 * SLACK;
}

/* Every worker helps with packing B, then takes rows of C; so for each packed part of B. */
static cairn_status run_whole(cairn_context *ctx, const PRODUCT *p)
{
    size_t workers = (size_t)cairn_workers(ctx);
    cut c = cut_for(p, workers, MAX_COLUMNS, B_BYTES);
    double steps = (double)p->m * (double)c.columns * (double)(c.group * c.panel) / 8;
    CHECK(SCRATCH_RAW(ctx, &c.b, b_size(&c)));
    CHECK(SCRATCH_RAW(ctx, &c.a, cairn_product(workers, c.a_size)));
    for (size_t j0 = 0; j0 < p->n; j0 += c.columns)
        for (size_t k0 = 0; k0 < p->k; k0 += c.group * c.panel) {
            take_next(&c, j0, k0);
            CHECK(cairn_blocks_sized(ctx, n_pieces(&c), 1, steps, pack_piece, &c));
            CHECK(cairn_blocks_sized(ctx, p->m, c.block, steps, rows_task, &c));
        }
    return CAIRN_OK;
}

/* -- a small result of long sums: blocks of k side by side, then added in order -- */

typedef struct long_sums {
    const PRODUCT *p;
    size_t size, buffer; /* numbers of a result, of a worker's room */
    REAL *partial, *buffers;
} long_sums;

static void split_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const long_sums *s = data;
    PRODUCT part = *s->p;
    part.k = end - begin;
    part.a += begin * part.a_k, part.b += begin * part.b_k;
    part.c = s->partial + block * s->size, part.c_i = part.n;
    part.set = true, part.alpha = 1;
    run_alone(&part, s->buffers + (size_t)worker * s->buffer);
}

static void join_blocks(const long_sums *s, size_t n_blocks)
{
    const PRODUCT *p = s->p;
    for (size_t i = 0; i < p->m; i++)
        for (size_t j = p->upper ? i : 0; j < p->n; j++) {
            REAL sum = 0, *c = p->c + i * p->c_i + j;
            for (size_t t = 0; t < n_blocks; t++) sum += s->partial[t * s->size + i * p->n + j];
            *c = (p->set ? 0 : *c) + p->alpha * sum;
        }
}

static cairn_status run_split(cairn_context *ctx, const PRODUCT *p, size_t panels)
{
    long_sums s = {.p = p, .size = p->m * p->n};
    size_t deep = ceiling(panels, SPLIT_BLOCKS);
    deep = (deep < SPLIT_PANELS ? SPLIT_PANELS : deep) * MAX_PANEL;
    size_t n_blocks = cairn_block_count(p->k, deep);
    s.buffer = JOIN(PRODUCT, buffer)(p->m, p->n, deep);
    CHECK(SCRATCH_RAW(ctx, &s.partial, cairn_product(n_blocks, s.size)));
    CHECK(SCRATCH_RAW(ctx, &s.buffers, cairn_product((size_t)cairn_workers(ctx), s.buffer)));
    CHECK(cairn_blocks(ctx, p->k, deep, split_block, &s));
    join_blocks(&s, n_blocks);
    return CAIRN_OK;
}

cairn_status JOIN(PRODUCT, run)(cairn_context *ctx, const PRODUCT *p)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    size_t panels = ceiling(p->k, MAX_PANEL);
    if (run_empty(p)) return CAIRN_OK;
    bool small = p->m <= SPLIT_RESULT / p->n && !p->finish;
    cairn_status status =
        small && panels >= 2 * SPLIT_PANELS ? run_split(ctx, p, panels) : run_whole(ctx, p);
    cairn_scratch_release(ctx, mark);
    return status;
}

void JOIN(PRODUCT, norms)(REAL *norms, const REAL *a, size_t n, size_t k)
{
    chosen_kernels()->norms(norms, a, n, k);
}
