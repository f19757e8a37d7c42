/* SPDX-License-Identifier: MIT */
/* Makes objects of libcairn those of libcairn-predict: lighten FOLDER LIST OBJECT...
 *
 * A record ties together what fits, describes, saves and predicts (src/model/learner.h), so a
 * linker that finds a record keeps all of it. Here the pointers of a record to what no loaded model
 * needs for an answer become NULL: their relocations are taken out of the object. The linker's
 * collection of sections then drops those functions and all that only they call. So both libraries
 * are made of the same compiled functions, which is why they answer with the same bits, and no
 * learner needs a second list of what it does.
 *
 * The prose of records and the help of their parameters go the same way; strings that nobody points
 * to any more are overwritten by zeros, of which the linker keeps one.
 *
 * All objects are written into FOLDER, and LIST names them, one per line. */
#include "model/learner.h"
#include "resample/resample.h"
#include "stats/measure.h"
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What becomes NULL. A record begins with its entry, and that with its kind. */
typedef struct dropped {
    cairn_entry_kind kind;
    size_t size, offset;
} dropped;

#define LEARNER(F)                                                                                 \
    {                                                                                              \
        CAIRN_ENTRY_LEARNER, sizeof(cairn_learner), offsetof(cairn_learner, F)                     \
    }
#define TRANSFORM(F)                                                                               \
    {                                                                                              \
        CAIRN_ENTRY_TRANSFORM, sizeof(cairn_transform), offsetof(cairn_transform, F)               \
    }
#define MEASURE(F)                                                                                 \
    {                                                                                              \
        CAIRN_ENTRY_MEASURE, sizeof(cairn_measure), offsetof(cairn_measure, F)                     \
    }
#define RESAMPLING(F)                                                                              \
    {                                                                                              \
        CAIRN_ENTRY_RESAMPLING, sizeof(cairn_resampling), offsetof(cairn_resampling, F)            \
    }

static const dropped all[] = {LEARNER(fit),
                              LEARNER(read),
                              LEARNER(update),
                              LEARNER(forms),
                              LEARNER(describe),
                              LEARNER(figures),
                              LEARNER(tables),
                              LEARNER(explain),
                              LEARNER(sample),
                              LEARNER(size),
                              LEARNER(pieces),
                              TRANSFORM(fit),
                              TRANSFORM(apply_fitted),
                              TRANSFORM(train),
                              TRANSFORM(restore),
                              TRANSFORM(n_filled),
                              TRANSFORM(describe),
                              TRANSFORM(idle),
                              TRANSFORM(tables),
                              MEASURE(value),
                              RESAMPLING(plan)};
/* Of every entry. */
static const size_t prose[] = {offsetof(cairn_entry, also), offsetof(cairn_entry, about),
                               offsetof(cairn_entry, summary), offsetof(cairn_entry, references),
                               offsetof(cairn_entry, example)};

typedef struct object {
    const char *path;
    unsigned char *bytes;
    size_t length;
    const Elf64_Shdr *sections;
    size_t n_sections;
} object;

/* Parameter tables that were found: names of global ones. */
static const char **tables;
static size_t n_tables;

static void stop(const char *what, const char *name)
{
    fprintf(stderr, "lighten: %s: %s\n", name, what);
    exit(1);
}

static object read_object(const char *path)
{
    object o = {.path = path};
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) stop("cannot be read", path);
    o.length = (size_t)ftell(file);
    rewind(file);
    o.bytes = malloc(o.length + 1);
    if (!o.bytes || fread(o.bytes, 1, o.length, file) != o.length) stop("cannot be read", path);
    fclose(file);
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)(const void *)o.bytes;
    if (o.length < sizeof *head || memcmp(o.bytes, ELFMAG, SELFMAG) != 0 ||
        o.bytes[EI_CLASS] != ELFCLASS64 || head->e_type != ET_REL)
        stop("is no object file of 64 bits", path);
    o.sections = (const Elf64_Shdr *)(const void *)(o.bytes + head->e_shoff);
    o.n_sections = head->e_shnum;
    return o;
}

/* The relocations of a section, n of them; NULL when it has none. */
static Elf64_Rela *relocations_of(const object *o, size_t section, const Elf64_Sym **symbols,
                                  size_t *n)
{
    *n = 0;
    for (size_t i = 0; i < o->n_sections; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        if (s->sh_type != SHT_RELA || s->sh_info != section) continue;
        *symbols = (const Elf64_Sym *)(const void *)(o->bytes + o->sections[s->sh_link].sh_offset);
        *n = s->sh_size / sizeof(Elf64_Rela);
        return (Elf64_Rela *)(void *)(o->bytes + s->sh_offset);
    }
    return NULL;
}

/* The relocation at a place of a section; NULL when there is none. */
static Elf64_Rela *relocation_at(const object *o, size_t section, size_t offset,
                                 const Elf64_Sym **symbol)
{
    const Elf64_Sym *symbols;
    size_t n;
    Elf64_Rela *each = relocations_of(o, section, &symbols, &n);
    for (size_t i = 0; i < n; i++) {
        if (each[i].r_offset != offset || !ELF64_R_SYM(each[i].r_info)) continue;
        *symbol = &symbols[ELF64_R_SYM(each[i].r_info)];
        return &each[i];
    }
    return NULL;
}

/* The pointer at a place becomes NULL: a relocation of no type does nothing. */
static void clear_pointer(const object *o, size_t section, size_t offset)
{
    const Elf64_Sym *symbol;
    Elf64_Rela *r = relocation_at(o, section, offset, &symbol);
    if (r) r->r_info = 0, r->r_addend = 0;
}

static const char *name_of(const object *o, const Elf64_Sym *symbol)
{
    for (size_t i = 0; i < o->n_sections; i++)
        if (o->sections[i].sh_type == SHT_SYMTAB)
            return (const char *)o->bytes + o->sections[o->sections[i].sh_link].sh_offset +
                   symbol->st_name;
    return "";
}

static void lighten_table(const object *o, size_t section, size_t offset);

/* The parameter table that a pointer points to: here, or, by its name, in any object. */
static void follow_table(const object *o, size_t section, size_t offset)
{
    const Elf64_Sym *symbol;
    const Elf64_Rela *r = relocation_at(o, section, offset, &symbol);
    if (!r) return;
    if (symbol->st_shndx != SHN_UNDEF) {
        lighten_table(o, symbol->st_shndx, symbol->st_value + (size_t)r->r_addend);
        return;
    }
    const char *name = name_of(o, symbol);
    for (size_t i = 0; i < n_tables; i++)
        if (strcmp(tables[i], name) == 0) return;
    tables = realloc(tables, (n_tables + 1) * sizeof *tables);
    if (!tables) stop("out of memory", o->path);
    tables[n_tables++] = name;
}

/* Rows up to the one without a name lose their help. */
static void lighten_table(const object *o, size_t section, size_t offset)
{
    const Elf64_Sym *symbol;
    for (; relocation_at(o, section, offset + offsetof(cairn_param, name), &symbol) ||
           relocation_at(o, section, offset + offsetof(cairn_param, group), &symbol);
         offset += sizeof(cairn_param)) {
        clear_pointer(o, section, offset + offsetof(cairn_param, help));
        follow_table(o, section, offset + offsetof(cairn_param, group));
    }
}

/* An object of data that may be a record. */
static void lighten_symbol(const object *o, const Elf64_Sym *symbol)
{
    const Elf64_Shdr *section = &o->sections[symbol->st_shndx];
    const size_t at = symbol->st_value;
    int32_t kind;
    if (section->sh_type != SHT_PROGBITS || symbol->st_size < sizeof(cairn_entry)) return;
    memcpy(&kind, o->bytes + section->sh_offset + at, sizeof kind);
    bool record = false;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if ((int32_t)all[i].kind != kind || all[i].size != symbol->st_size) continue;
        clear_pointer(o, symbol->st_shndx, at + all[i].offset);
        record = true;
    }
    if (!record) return;
    for (size_t i = 0; i < sizeof prose / sizeof *prose; i++)
        clear_pointer(o, symbol->st_shndx, at + prose[i]);
    follow_table(o, symbol->st_shndx, at + offsetof(cairn_entry, params));
}

/* Calls lighten_symbol for records, or lighten_table for tables from number `from` on. */
static void lighten(const object *o, bool records, size_t from)
{
    for (size_t i = 0; i < o->n_sections; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        if (s->sh_type != SHT_SYMTAB) continue;
        const Elf64_Sym *symbols = (const Elf64_Sym *)(const void *)(o->bytes + s->sh_offset);
        for (size_t k = 0; k < s->sh_size / sizeof *symbols; k++) {
            const Elf64_Sym *symbol = &symbols[k];
            if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || symbol->st_shndx == SHN_UNDEF ||
                symbol->st_shndx >= o->n_sections || ELF64_ST_BIND(symbol->st_info) != STB_GLOBAL)
                continue;
            if (records) lighten_symbol(o, symbol);
            for (size_t t = from; !records && t < n_tables; t++)
                if (strcmp(tables[t], name_of(o, symbol)) == 0)
                    lighten_table(o, symbol->st_shndx, symbol->st_value);
        }
    }
}

/* Whether something points to the strings from `begin` to before `end`; yes where that cannot be
 * told, as from code, which points with an offset. */
static bool is_used(const object *o, size_t section, size_t begin, size_t end)
{
    for (size_t i = 0; i < o->n_sections; i++) {
        const Elf64_Sym *symbols;
        const Elf64_Shdr *from = &o->sections[i];
        size_t n;
        if (from->sh_type != SHT_PROGBITS || !(from->sh_flags & SHF_ALLOC)) continue;
        const Elf64_Rela *each = relocations_of(o, i, &symbols, &n);
        for (size_t k = 0; k < n; k++) {
            const Elf64_Sym *symbol = &symbols[ELF64_R_SYM(each[k].r_info)];
            if (!each[k].r_info || symbol->st_shndx != section) continue;
            size_t to = symbol->st_value + (size_t)each[k].r_addend;
            if (from->sh_flags & SHF_EXECINSTR || (to >= begin && to < end)) return true;
        }
    }
    return false;
}

/* Strings of data that nothing points to. */
static void clear_strings(const object *o)
{
    for (size_t i = 0; i < o->n_sections; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        char *text = (char *)o->bytes + s->sh_offset;
        if (!(s->sh_flags & SHF_STRINGS) || !(s->sh_flags & SHF_ALLOC) || s->sh_entsize != 1 ||
            s->sh_type != SHT_PROGBITS)
            continue;
        for (size_t at = 0, length; at < s->sh_size; at += length + 1) {
            length = strnlen(text + at, s->sh_size - at);
            if (!is_used(o, i, at, at + length + 1)) memset(text + at, 0, length);
        }
    }
}

static void write_all(const char *name, const unsigned char *bytes, size_t length)
{
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file))
        stop("cannot be written", name);
}

int main(int argc, char **argv)
{
    if (argc < 4) stop("FOLDER LIST OBJECT...", "usage");
    size_t n = (size_t)argc - 3;
    object *objects = calloc(n, sizeof *objects);
    FILE *list = fopen(argv[2], "w");
    if (!list || !objects) stop("cannot be written", argv[2]);
    for (size_t i = 0; i < n; i++) {
        objects[i] = read_object(argv[i + 3]);
        lighten(&objects[i], true, 0);
    }
    for (size_t from = 0, until; from < n_tables; from = until) { /* tables name further tables */
        until = n_tables;
        for (size_t i = 0; i < n; i++) lighten(&objects[i], false, from);
    }
    for (size_t i = 0; i < n; i++) {
        char name[4096];
        const char *slash = strrchr(objects[i].path, '/');
        clear_strings(&objects[i]);
        snprintf(name, sizeof name, "%s/%zu-%s", argv[1], i, slash ? slash + 1 : objects[i].path);
        write_all(name, objects[i].bytes, objects[i].length);
        fprintf(list, "%s\n", name);
    }
    if (fclose(list)) stop("cannot be written", argv[2]);
    return 0;
}
