/* SPDX-License-Identifier: MIT */
/* Finding and loading modules. */
#include "base/module.h"
#include "base/memory.h"
#include "base/text.h"
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The file that this code lies in: the shared library, or the program it was linked into, whose
 * recorded name need not be its path. */
static bool own_path(char out[PATH_MAX])
{
    Dl_info info;
    struct link_map *map = NULL;
    if (!dladdr1((void *)cairn_version, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
        return false;
    const char *name = *map->l_name ? map->l_name : "/proc/self/exe";
    return realpath(name, out) != NULL;
}

/* Path of the module beside the library, or in the folder cairn/ beside it; empty if neither is
 * there. */
static cairn_status find_module(cairn_context *ctx, const char *file, cairn_text *path,
                                char folder[PATH_MAX])
{
    static const char *const places[] = {"/", "/cairn/"};
    if (!own_path(folder))
        return cairn_fail(ctx, CAIRN_FILE_ERROR, "the library's folder is unknown");
    char *slash = strrchr(folder, '/');
    if (slash) *slash = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        path->length = 0;
        cairn_text_addf(path, "%s%s%s", folder, places[i], file);
        if (cairn_text_status(path)) return cairn_text_status(path);
        if (access(cairn_text_string(path), R_OK) == 0) return CAIRN_OK;
    }
    path->length = 0;
    return CAIRN_OK;
}

static cairn_status open_module(cairn_context *ctx, const void **out, const cairn_module *module,
                                const char *path)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!handle)
        return cairn_fail(ctx, CAIRN_FILE_ERROR,
                          "%s cannot be loaded (%s); install the Debian package %s for %s%s%s",
                          path, dlerror(), module->package, module->purpose,
                          module->instead ? "; " : "", module->instead ? module->instead : "");
    const uint32_t *record = dlsym(handle, module->symbol);
    if (!record || *record != module->abi)
        return cairn_fail(ctx, CAIRN_FILE_ERROR,
                          "%s belongs to another version of Cairn; install the one that came with "
                          "this library",
                          path);
    *out = record;
    return CAIRN_OK;
}

cairn_status cairn_module_load(cairn_context *ctx, const void **out, const cairn_module *module)
{
    SCOPED(cairn_text_clear) cairn_text path = cairn_text_start(ctx);
    char folder[PATH_MAX];
    CHECK(find_module(ctx, module->file, &path, folder));
    if (!path.length) {
        return cairn_fail(ctx, CAIRN_FILE_ERROR,
                          "%s need the module %s, which is not in %s; it is built when the "
                          "Debian package %s is there and runs with %s%s%s",
                          module->purpose, module->file, folder, module->build, module->package,
                          module->instead ? "; " : "", module->instead ? module->instead : "");
    }
    return open_module(ctx, out, module, cairn_text_string(&path));
}
