/* SPDX-License-Identifier: MIT */
/* Makes objects of libcairn those of libcairn-predict: lighten FOLDER LIST OBJECT...
 *
 * A record ties together what fits, describes, saves and predicts (src/model/learner.h), so a linker
 * that finds a record keeps all of it. Here the pointers of a record to what no loaded model needs for
 * an answer become NULL: their relocations are taken out of the object. The linker's collection of
 * sections then drops those functions and all that only they call. So both libraries are made of the
 * same compiled functions, which is why they answer with the same bits, and no learner needs a second
 * list of what it does.
 *
 * Objects that have such records are written into FOLDER, and LIST names every object to be linked:
 * those and the others, one per line. */
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

static void stop(const char *what, const char *name)
{
    fprintf(stderr, "lighten: %s: %s\n", name, what);
    exit(1);
}

/* The whole file, with a byte more. */
static unsigned char *read_all(const char *name, size_t *length)
{
    FILE *file = fopen(name, "rb");
    if (!file || fseek(file, 0, SEEK_END)) stop("cannot be read", name);
    long size = ftell(file);
    unsigned char *bytes = malloc((size_t)size + 1);
    rewind(file);
    if (!bytes || fread(bytes, 1, (size_t)size, file) != (size_t)size) stop("cannot be read", name);
    fclose(file);
    *length = (size_t)size;
    return bytes;
}

/* Whether a place in an object of that size is one of those that become NULL. */
static int is_dropped(int32_t kind, size_t size, size_t offset)
{
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if ((int32_t)all[i].kind == kind && all[i].size == size && all[i].offset == offset)
            return 1;
    return 0;
}

/* The relocations of one section that stand in a record which `symbol` names; returns how many. */
static size_t lighten_record(unsigned char *bytes, const Elf64_Shdr *relocations,
                             const Elf64_Shdr *target, const Elf64_Sym *symbol)
{
    Elf64_Rela *each = (Elf64_Rela *)(void *)(bytes + relocations->sh_offset);
    size_t n = relocations->sh_size / sizeof *each, changed = 0;
    int32_t kind;
    if (symbol->st_size < sizeof(cairn_entry)) return 0;
    memcpy(&kind, bytes + target->sh_offset + symbol->st_value, sizeof kind);
    for (size_t i = 0; i < n; i++) {
        if (each[i].r_offset < symbol->st_value) continue;
        if (!is_dropped(kind, symbol->st_size, each[i].r_offset - symbol->st_value)) continue;
        each[i].r_info = 0; /* of no type: nothing is done there */
        each[i].r_addend = 0;
        changed++;
    }
    return changed;
}

/* All records of an object; returns how many pointers were taken out. */
static size_t lighten(unsigned char *bytes, size_t length, const char *name)
{
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)(const void *)bytes;
    if (length < sizeof *head || memcmp(bytes, ELFMAG, SELFMAG) != 0 ||
        bytes[EI_CLASS] != ELFCLASS64 || head->e_type != ET_REL)
        stop("is no object file of 64 bits", name);
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(const void *)(bytes + head->e_shoff);
    size_t changed = 0;
    for (size_t i = 0; i < head->e_shnum; i++) {
        const Elf64_Shdr *table = &sections[sections[i].sh_link];
        const Elf64_Shdr *target = &sections[sections[i].sh_info];
        if (sections[i].sh_type != SHT_RELA || target->sh_type != SHT_PROGBITS) continue;
        const Elf64_Sym *symbols = (const Elf64_Sym *)(const void *)(bytes + table->sh_offset);
        for (size_t s = 0; s < table->sh_size / sizeof *symbols; s++)
            if (symbols[s].st_shndx == sections[i].sh_info &&
                ELF64_ST_TYPE(symbols[s].st_info) == STT_OBJECT)
                changed += lighten_record(bytes, &sections[i], target, &symbols[s]);
    }
    return changed;
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
    FILE *list = fopen(argv[2], "w");
    if (!list) stop("cannot be written", argv[2]);
    for (int i = 3; i < argc; i++) {
        char name[4096];
        size_t length;
        unsigned char *bytes = read_all(argv[i], &length);
        if (lighten(bytes, length, argv[i])) {
            snprintf(name, sizeof name, "%s/%d.o", argv[1], i);
            write_all(name, bytes, length);
            fprintf(list, "%s\n", name);
        } else {
            fprintf(list, "%s\n", argv[i]);
        }
        free(bytes);
    }
    if (fclose(list)) stop("cannot be written", argv[2]);
    return 0;
}
