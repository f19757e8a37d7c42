/* SPDX-License-Identifier: MIT */
/* Packs folders of files into a C source: pack OUT.c FOLDER...
 *
 * Every file is compressed on its own with zstd and listed under "folder/name", sorted. A JSON file
 * that is an object with a "title" keeps that title in the list, and is listed again, without it,
 * under every name among its "aliases". A file index.json is not packed as it is: every member
 * {"name": {...}} becomes a small file "folder/name" of lines
 *
 *     key TAB value TAB value ...        (a list has several values)
 *     key TAB member TAB value ...       (an object gives one line per member)
 *
 * beginning with "name TAB name", and again under every name that it lists as "aliases". So a
 * reader needs neither the whole index nor JSON. */
#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zstd.h>

typedef struct packed_file {
    char *name, *title;
    size_t offset, packed, length;
} packed_file;

static packed_file *files;
static size_t n_files;
static unsigned char *blob;
static size_t blob_size;

static void stop(const char *what, const char *name)
{
    fprintf(stderr, "pack: %s: %s\n", what, name);
    exit(1);
}

static void *enlarge(void *block, size_t size)
{
    block = realloc(block, size);
    if (!block) stop("out of memory", "");
    return block;
}

static char *copy(const char *text)
{
    char *to = enlarge(NULL, strlen(text) + 1);
    return strcpy(to, text);
}

static char *join(const char *folder, const char *name, const char *ending)
{
    size_t size = strlen(folder) + strlen(name) + strlen(ending) + 2;
    char *path = enlarge(NULL, size);
    snprintf(path, size, "%s/%s%s", folder, name, ending);
    return path;
}

static packed_file *list_file(char *name, const char *title)
{
    files = enlarge(files, (n_files + 1) * sizeof *files);
    packed_file *file = &files[n_files++];
    *file = (packed_file){.name = name, .title = title ? copy(title) : NULL};
    return file;
}

/* The last file once more, under another name. */
static void list_again(const char *folder, const char *alias, const char *ending)
{
    const packed_file first = files[n_files - 1];
    packed_file *file = list_file(join(folder, alias, ending), NULL);
    file->offset = first.offset;
    file->packed = first.packed;
    file->length = first.length;
}

static void list_aliases(const char *folder, const json_t *entry, const char *ending)
{
    const json_t *aliases = json_object_get(entry, "aliases");
    for (size_t i = 0; i < json_array_size(aliases); i++)
        list_again(folder, json_string_value(json_array_get(aliases, i)), ending);
}

static void add_file(char *name, const char *title, const char *bytes, size_t length)
{
    size_t buffer = ZSTD_compressBound(length);
    packed_file *file = list_file(name, title);
    blob = enlarge(blob, blob_size + buffer);
    size_t packed = ZSTD_compress(blob + blob_size, buffer, bytes, length, 19);
    if (ZSTD_isError(packed)) stop("cannot compress", name);
    file->offset = blob_size;
    file->packed = packed;
    file->length = length;
    blob_size += packed;
}

static void write_value(FILE *out, const json_t *value)
{
    if (json_is_string(value))
        fprintf(out, "\t%s", json_string_value(value));
    else if (json_is_integer(value))
        fprintf(out, "\t%lld", (long long)json_integer_value(value));
    else if (json_is_boolean(value))
        fprintf(out, "\t%s", json_is_true(value) ? "yes" : "no");
    else if (!json_is_array(value))
        stop("index.json", "a value is neither text, whole number, truth nor list");
    for (size_t i = 0; i < json_array_size(value); i++) write_value(out, json_array_get(value, i));
}

static void write_about(FILE *out, const char *name, json_t *entry)
{
    const char *key, *member;
    json_t *value, *inner;
    fprintf(out, "name\t%s\n", name);
    json_object_foreach(entry, key, value)
    {
        if (json_is_object(value)) {
            json_object_foreach(value, member, inner)
            {
                fprintf(out, "%s\t%s", key, member);
                write_value(out, inner);
                fprintf(out, "\n");
            }
            continue;
        }
        fprintf(out, "%s", key);
        write_value(out, value);
        fprintf(out, "\n");
    }
}

static void add_index(const char *folder, json_t *index)
{
    const char *name;
    json_t *entry;
    json_object_foreach(index, name, entry)
    {
        char *text = NULL;
        size_t length = 0;
        FILE *out = open_memstream(&text, &length);
        if (!out) stop("out of memory", name);
        write_about(out, name, entry);
        fclose(out);
        add_file(join(folder, name, ""), json_string_value(json_object_get(entry, "title")), text,
                 length);
        list_aliases(folder, entry, "");
        free(text);
    }
}

static char *read_file(const char *path, size_t *length)
{
    FILE *in = fopen(path, "rb");
    if (!in) stop("cannot open", path);
    char *bytes = NULL;
    size_t n = 0, got;
    do {
        bytes = enlarge(bytes, n + 65536);
        got = fread(bytes + n, 1, 65536, in);
        n += got;
    } while (got);
    if (ferror(in)) stop("cannot read", path);
    fclose(in);
    *length = n;
    return bytes;
}

static int ends_with(const char *text, const char *ending)
{
    size_t n = strlen(text), m = strlen(ending);
    return n >= m && strcmp(text + n - m, ending) == 0;
}

static void pack_one(const char *path, const char *folder, const char *file)
{
    size_t length;
    char *bytes = read_file(path, &length);
    json_t *json = NULL;
    if (ends_with(file, ".json")) {
        json_error_t error;
        json = json_loadb(bytes, length, 0, &error);
        if (!json) stop(path, error.text);
    }
    if (strcmp(file, "index.json") == 0)
        add_index(folder, json);
    else {
        add_file(join(folder, file, ""), json_string_value(json_object_get(json, "title")), bytes,
                 length);
        list_aliases(folder, json, ".json");
    }
    json_decref(json);
    free(bytes);
}

static void pack_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *folder = slash ? slash + 1 : path;
    DIR *entries = opendir(path);
    if (!entries) stop("cannot open", path);
    for (struct dirent *entry; (entry = readdir(entries));) {
        struct stat about;
        if (entry->d_name[0] == '.' || ends_with(entry->d_name, ".md")) continue;
        char *whole = join(path, entry->d_name, "");
        if (stat(whole, &about)) stop("cannot read", whole);
        if (S_ISREG(about.st_mode)) pack_one(whole, folder, entry->d_name);
        free(whole);
    }
    closedir(entries);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const packed_file *)a)->name, ((const packed_file *)b)->name);
}

static void write_text(FILE *out, const char *text)
{
    if (!text) {
        fprintf(out, "NULL");
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < 32)
            fprintf(out, "\\%03o", *text);
        else
            fputc(*text, out);
    }
    fputc('"', out);
}

static void write_source(FILE *out)
{
    fprintf(out, "/* Written by tools/pack.c. */\n#include \"base/bundle.h\"\n\n");
    fprintf(out, "const cairn_bundle_file cairn_bundle_files[] = {\n");
    for (size_t i = 0; i < n_files; i++) {
        fprintf(out, "    {");
        write_text(out, files[i].name);
        fprintf(out, ", ");
        write_text(out, files[i].title);
        fprintf(out, ", %zu, %zu, %zu},\n", files[i].offset, files[i].packed, files[i].length);
    }
    fprintf(out, "    {NULL, NULL, 0, 0, 0},\n};\n\nconst size_t cairn_bundle_n_files = %zu;\n\n",
            n_files);
    fprintf(out, "const char cairn_bundle_blob[] =");
    for (size_t i = 0; i < blob_size; i++) {
        if (i % 64 == 0) fprintf(out, i ? "\"\n    \"" : "\n    \"");
        fprintf(out, "\\%03o", blob[i]);
    }
    fprintf(out, blob_size ? "\";\n" : " \"\";\n");
}

int main(int argc, char **argv)
{
    if (argc < 2) stop("usage", "pack OUT.c FOLDER...");
    for (int i = 2; i < argc; i++) pack_folder(argv[i]);
    qsort(files, n_files, sizeof *files, by_name);
    for (size_t i = 1; i < n_files; i++)
        if (strcmp(files[i - 1].name, files[i].name) == 0) stop("named twice", files[i].name);
    FILE *out = fopen(argv[1], "wb");
    if (!out) stop("cannot write", argv[1]);
    write_source(out);
    if (fclose(out)) stop("cannot write", argv[1]);
    return 0;
}
