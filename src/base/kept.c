/* SPDX-License-Identifier: MIT */
#include "base/kept.h"
#include "base/text.h"
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* A struct, its rows and what is around it. */
typedef struct place {
    const cairn_kept *rows;
    char *kept;
    const struct place *around;
    void *values;
    uint64_t flags; /* bit i: what the flag in row i says */
} place;

static void *field_of(const place *p, const cairn_kept *row)
{
    return p->kept + row->at;
}

static void *pointer_at(const void *field)
{
    void *pointer;
    memcpy(&pointer, field, sizeof pointer);
    return pointer;
}

/* The value of a field that counts; false when the rows have no such field. */
static bool find(const place *p, const char *name, size_t length, double *value)
{
    for (size_t i = 0; p->rows[i].type; i++) {
        const cairn_kept *row = &p->rows[i];
        const char *own = row->type == CAIRN_KEEP_FLAG ? row->name : row->field;
        const void *field = field_of(p, row);
        size_t inside = own ? strlen(own) : 0;
        if (row->type == CAIRN_KEEP_HERE) {
            place here = {.rows = row->rows, .kept = p->kept};
            if (find(&here, name, length, value)) return true;
        }
        if (row->type == CAIRN_KEEP_PART && row->rows && length > inside && name[inside] == '.' &&
            memcmp(own, name, inside) == 0) {
            place part = {.rows = row->rows, .kept = p->kept + row->at};
            if (find(&part, name + inside + 1, length - inside - 1, value)) return true;
        }
        if (inside != length || memcmp(own, name, length) != 0) continue;
        switch (row->type) {
        case CAIRN_KEEP_BOOL: *value = *(const bool *)field; return true;
        case CAIRN_KEEP_INT: *value = *(const int32_t *)field; return true;
        case CAIRN_KEEP_INT64: *value = (double)*(const int64_t *)field; return true;
        case CAIRN_KEEP_SIZE:
        case CAIRN_KEEP_COUNT: *value = (double)*(const size_t *)field; return true;
        case CAIRN_KEEP_MAP: *value = (double)((const cairn_map *)field)->n; return true;
        case CAIRN_KEEP_FLAG: *value = p->flags >> i & 1; return true;
        default: break;
        }
    }
    return false;
}

/* Beyond what a double counts exactly no memory can be had, so that a sum needs no other care. A
 * name that nothing has is a mistake in the rows. */
static double count(const place *p, const char *sum)
{
    double all = 0, product = 1;
    while (*sum) {
        double factor = 0;
        size_t length = strcspn(sum, "*+");
        if (*sum >= '0' && *sum <= '9') {
            for (size_t i = 0; i < length; i++) factor = factor * 10 + (sum[i] - '0');
        } else {
            const place *at = p;
            while (at && !find(at, sum, length, &factor)) at = at->around;
            assert(at);
        }
        product *= factor;
        sum += length;
        if (*sum != '*') {
            all += product;
            product = 1;
        }
        sum += *sum != '\0';
    }
    return all;
}

static size_t length_of(const place *p, const cairn_kept *row)
{
    double n = count(p, row->n);
    return n >= 0 && n < 0x1p53 ? (size_t)n : SIZE_MAX;
}

static bool is_meant(const place *p, const cairn_kept *row)
{
    if (!row->when) return true;
    bool no = row->when[0] == '!';
    return (count(p, row->when + no) != 0) != no;
}

/* The row's words with their marks written out. */
static cairn_status refuse(cairn_archive *a, const cairn_kept *row, size_t at, int64_t value,
                           int64_t bound)
{
    SCOPED(cairn_text_clear) cairn_text why = cairn_text_start(cairn_archive_context(a));
    for (const char *s = row->why; *s; s++)
        if (*s == '#')
            cairn_text_addf(&why, "%zu", at + 1);
        else if (*s == '@' || *s == '$' || *s == '~')
            cairn_text_addf(&why, "%lld", (long long)(*s == '~' ? bound : value + (*s == '@')));
        else
            cairn_text_add_char(&why, *s);
    return cairn_archive_damaged(a, "%s", cairn_text_string(&why));
}

static cairn_status keep_size(cairn_archive *a, const place *p, const cairn_kept *row,
                              const char *name, size_t *value)
{
    int64_t number = (int64_t)*value, most = row->most;
    double within = row->within ? count(p, row->within) : INFINITY;
    if (within < 0x1p62 && (!most || within < (double)most)) most = (int64_t)within;
    CHECK(cairn_archive_int64(a, name, &number));
    if (!cairn_archive_reading(a)) return CAIRN_OK;
    if (row->why && (number < row->least || number > most)) return refuse(a, row, 0, number, most);
    if (number < row->least || number > most)
        return cairn_archive_damaged(a, "'%s' is %lld", name, (long long)number);
    *value = (size_t)number;
    return CAIRN_OK;
}

static cairn_status keep_int(cairn_archive *a, const cairn_kept *row, const char *name,
                             int32_t *value)
{
    CHECK(cairn_archive_int(a, name, value));
    if (row->why && cairn_archive_reading(a) && (*value < row->least || *value > row->most))
        return refuse(a, row, 0, *value, row->most);
    return CAIRN_OK;
}

static cairn_status keep_ints(cairn_archive *a, const place *p, const cairn_kept *row,
                              const char *name, int32_t **values)
{
    size_t n = length_of(p, row);
    CHECK(cairn_archive_ints(a, name, values, n));
    if (!row->why || !cairn_archive_reading(a)) return CAIRN_OK;
    double bound = row->within ? count(p, row->within) : (double)row->most + 1;
    for (size_t i = 0; i < n; i++)
        if ((*values)[i] < row->least || (*values)[i] >= bound)
            return refuse(a, row, i, (int64_t)(*values)[i], (int64_t)bound);
    return CAIRN_OK;
}

static cairn_status walk(cairn_archive *a, place *p);

static cairn_status keep_part(cairn_archive *a, const place *p, const cairn_kept *row, void *part)
{
    if (row->part) return row->part->archive(a, part);
    return walk(a, &(place){.rows = row->rows, .kept = part, .around = p});
}

static cairn_status keep_parts(cairn_archive *a, const place *p, const cairn_kept *row, void *field)
{
    size_t n = length_of(p, row);
    if (cairn_archive_reading(a)) {
        char *parts;
        CHECK(cairn_new(cairn_archive_context(a), &parts, n, row->size, true));
        memcpy(field, &parts, sizeof parts);
    }
    char *parts = pointer_at(field);
    for (size_t i = 0; i < n; i++) CHECK(keep_part(a, p, row, parts + i * row->size));
    return CAIRN_OK;
}

static cairn_status keep_maps(cairn_archive *a, const place *p, const cairn_kept *row,
                              const char *name, void *field)
{
    size_t n = length_of(p, row);
    if (cairn_archive_reading(a)) CHECK(NEW(cairn_archive_context(a), (cairn_map **)field, n));
    for (size_t i = 0; i < n; i++)
        CHECK(cairn_archive_map(a, name, (cairn_map *)pointer_at(field) + i));
    return CAIRN_OK;
}

static cairn_status keep_relation(cairn_archive *a, const place *p, const cairn_kept *row)
{
    double left = count(p, row->n), right = count(p, row->within);
    bool good = row->type == CAIRN_KEEP_SAME ? left == right : left <= right;
    if (good || !cairn_archive_reading(a)) return CAIRN_OK;
    return refuse(a, row, 0, (int64_t)fmin(left, 0x1p62), (int64_t)fmin(right, 0x1p62));
}

/* Saves or loads what one row describes; a row without a name bears the last part of its
 * field's. */
static cairn_status keep_row(cairn_archive *a, place *p, const cairn_kept *row)
{
    void *field = field_of(p, row);
    const char *dot = row->field ? strrchr(row->field, '.') : NULL;
    const char *name = row->name ? row->name : dot ? dot + 1 : row->field;
    const void *around = p->around ? p->around->kept : NULL;
    bool here;
    switch (row->type) {
    case CAIRN_KEEP_BOOL: return cairn_archive_bool(a, name, field);
    case CAIRN_KEEP_INT: return keep_int(a, row, name, field);
    case CAIRN_KEEP_INT64: return cairn_archive_int64(a, name, field);
    case CAIRN_KEEP_SIZE: return keep_size(a, p, row, name, field);
    case CAIRN_KEEP_REAL: return cairn_archive_real(a, name, field);
    case CAIRN_KEEP_TEXT: return cairn_archive_text(a, name, field);
    case CAIRN_KEEP_MAP: return cairn_archive_map(a, name, field);
    case CAIRN_KEEP_REALS: return cairn_archive_reals(a, name, field, length_of(p, row));
    case CAIRN_KEEP_FLOATS: return cairn_archive_floats(a, name, field, length_of(p, row));
    case CAIRN_KEEP_INTS: return keep_ints(a, p, row, name, field);
    case CAIRN_KEEP_BYTES: return cairn_archive_bytes(a, name, field, length_of(p, row));
    case CAIRN_KEEP_FLAG:
        here = pointer_at(field);
        CHECK(cairn_archive_bool(a, name, &here));
        p->flags |= (uint64_t)here << (row - p->rows);
        return CAIRN_OK;
    case CAIRN_KEEP_PART: return keep_part(a, p, row, field);
    case CAIRN_KEEP_PARTS: return keep_parts(a, p, row, field);
    case CAIRN_KEEP_HERE:
        return walk(a, &(place){.rows = row->rows, .kept = p->kept, .around = p->around});
    case CAIRN_KEEP_HISTORY:
        if (!p->values) return CAIRN_OK;
        return walk(a, &(place){.rows = row->rows, .kept = p->values, .around = p});
    case CAIRN_KEEP_MAPS: return keep_maps(a, p, row, name, field);
    case CAIRN_KEEP_OWNED:
    case CAIRN_KEEP_COUNT: return CAIRN_OK;
    case CAIRN_KEEP_SAME:
    case CAIRN_KEEP_FITS: return keep_relation(a, p, row);
    case CAIRN_KEEP_CHECK:
        return cairn_archive_reading(a) ? row->check(a, p->kept, around) : CAIRN_OK;
    case CAIRN_KEEP_BY: return row->by ? row->by(a, p->kept, around) : CAIRN_OK;
    }
    return CAIRN_OK;
}

static cairn_status walk(cairn_archive *a, place *p)
{
    for (const cairn_kept *row = p->rows; row->type; row++) {
        if (row->since > cairn_archive_version(a)) {
            if (row->type == CAIRN_KEEP_INT64 && cairn_archive_reading(a))
                *(int64_t *)field_of(p, row) = row->absent;
        } else if (is_meant(p, row)) {
            CHECK(keep_row(a, p, row));
        }
    }
    return CAIRN_OK;
}

cairn_status cairn_kept_archive(cairn_archive *a, const cairn_kept *rows, void *kept,
                                const cairn_kept *around_rows, const void *around, void *values)
{
    static const cairn_kept none[] = {KEEP_END};
    place outer = {.rows = around_rows ? around_rows : none, .kept = (char *)around};
    place p = {.rows = rows, .kept = kept, .around = around ? &outer : NULL, .values = values};
    return walk(a, &p);
}

bool cairn_kept_has_values(const cairn_kept *rows)
{
    for (; rows->type; rows++)
        if (rows->type == CAIRN_KEEP_HISTORY) return true;
    return false;
}

/* From the last row to the first: what counts stands before what it counts. */
static void clear(const place *p)
{
    size_t n_rows = 0;
    while (p->rows[n_rows].type) n_rows++;
    while (n_rows-- > 0) {
        const cairn_kept *row = &p->rows[n_rows];
        void *field = field_of(p, row);
        bool parts = row->type == CAIRN_KEEP_PARTS || row->type == CAIRN_KEEP_MAPS;
        bool owned = parts || row->type == CAIRN_KEEP_TEXT || row->type == CAIRN_KEEP_OWNED ||
                     (row->type >= CAIRN_KEEP_REALS && row->type <= CAIRN_KEEP_BYTES);
        char *first = owned ? pointer_at(field) : field;
        if (row->type == CAIRN_KEEP_MAP) cairn_map_clear(field);
        if (row->type == CAIRN_KEEP_HERE)
            clear(&(place){.rows = row->rows, .kept = p->kept, .around = p->around});
        if (row->clear) row->clear(p->kept);
        size_t n = row->type == CAIRN_KEEP_PART ? 1 : parts && first ? length_of(p, row) : 0;
        for (size_t i = 0; i < n; i++)
            if (row->type == CAIRN_KEEP_MAPS)
                cairn_map_clear((cairn_map *)first + i);
            else if (row->part)
                row->part->clear(first + i * row->size);
            else
                clear(&(place){.rows = row->rows, .kept = first + i * row->size, .around = p});
        if (!owned) continue;
        cairn_free(first);
        memset(field, 0, sizeof first);
    }
}

void cairn_kept_clear(const cairn_kept *rows, void *kept)
{
    clear(&(place){.rows = rows, .kept = kept});
}

/* Every part of the one kind is visited, also those within lists; other kinds are passed over. */
static void visit_parts(const place *p, const cairn_kept_part *part,
                        void (*visit)(const void *part, void *data), void *data)
{
    for (const cairn_kept *row = p->rows; row->type; row++) {
        const char *first = field_of(p, row);
        if (row->type == CAIRN_KEEP_PARTS) first = pointer_at(first);
        if (row->type == CAIRN_KEEP_HERE) first = p->kept;
        size_t n = row->type == CAIRN_KEEP_PARTS
                       ? (first ? length_of(p, row) : 0)
                       : row->type == CAIRN_KEEP_PART || row->type == CAIRN_KEEP_HERE;
        for (size_t i = 0; i < n; i++) {
            char *at = (char *)first + i * row->size;
            if (row->rows)
                visit_parts(&(place){.rows = row->rows, .kept = at, .around = p}, part, visit,
                            data);
            else if (row->part == part)
                visit(at, data);
        }
    }
}

void cairn_kept_each_part(const cairn_kept *rows, const void *kept, const cairn_kept_part *part,
                          void (*visit)(const void *part, void *data), void *data)
{
    visit_parts(&(place){.rows = rows, .kept = (char *)kept}, part, visit, data);
}

double cairn_kept_count(const cairn_kept *rows, const void *kept, const char *sum)
{
    return count(&(place){.rows = rows, .kept = (char *)kept}, sum);
}
