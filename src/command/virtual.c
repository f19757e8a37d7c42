/* SPDX-License-Identifier: MIT */
/* Files in memory, by name. A lesson's commands read and write these; only a parameter that takes a
 * path gets a copy on disk, in a folder of its own that is removed at the end. */
#include "command/command.h"

#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const cairn_virtual_file *cairn_virtual_find(const cairn_virtual_files *files, const char *name)
{
    for (size_t i = 0; files && i < files->n; i++)
        if (strcmp(files->files[i].name, name) == 0) return &files->files[i];
    return NULL;
}

static void clear_file(cairn_virtual_file *file)
{
    FREE_EACH(file->name, file->bytes);
}

cairn_status cairn_virtual_put(cairn_context *ctx, cairn_virtual_files *files, const char *name,
                               const char *bytes, size_t length)
{
    cairn_status status;
    cairn_virtual_file file = {.length = length};
    TRY(cairn_copy_text(ctx, &file.name, name, strlen(name)));
    TRY(cairn_copy_text(ctx, &file.bytes, bytes, length));
    cairn_virtual_file *old = (cairn_virtual_file *)cairn_virtual_find(files, name);
    if (old) {
        clear_file(old);
        *old = file;
        return CAIRN_OK;
    }
    TRY(GROW(ctx, &files->files, &files->capacity, files->n + 1));
    files->files[files->n++] = file;
    return CAIRN_OK;
done:
    clear_file(&file);
    return status;
}

/* A folder that only this user can read. */
static cairn_status make_folder(cairn_context *ctx, cairn_virtual_files *files)
{
    const char *where = getenv("TMPDIR");
    cairn_text text = cairn_text_start(ctx);
    char *path = NULL;
    cairn_text_addf(&text, "%s/cairn-XXXXXX", where && *where ? where : "/tmp");
    cairn_status status = cairn_text_take(&text, &path);
    if (status) return status;
    if (!mkdtemp(path)) {
        status = cairn_fail(ctx, CAIRN_FILE_ERROR, "cannot make a folder like %s: %s", path,
                            strerror(errno));
        cairn_free(path);
        return status;
    }
    files->folder = path;
    return CAIRN_OK;
}

cairn_status cairn_virtual_path(cairn_context *ctx, cairn_virtual_files *files,
                                const cairn_virtual_file *file, char **out)
{
    if (!files->folder) CHECK(make_folder(ctx, files));
    size_t folder = strlen(files->folder), name = strlen(file->name);
    CHECK(SCRATCH_RAW(ctx, out, folder + name + 2));
    memcpy(*out, files->folder, folder);
    (*out)[folder] = '/';
    memcpy(*out + folder + 1, file->name, name + 1);
    return cairn_file_write_all(ctx, *out, file->bytes, file->length);
}

cairn_status cairn_virtual_real(cairn_context *ctx, cairn_virtual_files *files, const char **path)
{
    const cairn_virtual_file *file = cairn_virtual_find(files, *path);
    char *real = NULL;
    if (!file) return CAIRN_OK;
    CHECK(cairn_virtual_path(ctx, files, file, &real));
    *path = real;
    return CAIRN_OK;
}

void cairn_virtual_clear(cairn_virtual_files *files)
{
    if (files->folder) {
        /* Remove the copies; names without a copy simply are not there. */
        for (size_t i = 0; i < files->n; i++) {
            char path[4096];
            size_t folder = strlen(files->folder), name = strlen(files->files[i].name);
            if (folder + name + 2 > sizeof path) continue;
            memcpy(path, files->folder, folder);
            path[folder] = '/';
            memcpy(path + folder + 1, files->files[i].name, name + 1);
            unlink(path);
        }
        rmdir(files->folder);
        cairn_free(files->folder);
    }
    for (size_t i = 0; i < files->n; i++) clear_file(&files->files[i]);
    cairn_free(files->files);
    memset(files, 0, sizeof *files);
}
