/* SPDX-License-Identifier: MIT */
/* The course: lessons/topics.json says which topics there are, in which order they are taught, and
 * which lessons each of them has, each with its question. The file is part of the library, and the
 * tests see to it that every lesson has exactly one place there. */
#include "command/lesson.h"

#include "base/bundle.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

#define FOLDER "lessons/"
#define ENDING ".json"
#define COURSE FOLDER "topics" ENDING
#define VALUES FOLDER "values" ENDING

/* Length of the id inside a bundle name, an alias among them; 0 when it is no lesson. */
static size_t id_length(const char *name)
{
    if (!cairn_starts_with(name, FOLDER) || !cairn_ends_with(name, ENDING)) return 0;
    if (strcmp(name, COURSE) == 0 || strcmp(name, VALUES) == 0) return 0;
    return strlen(name) - strlen(FOLDER) - strlen(ENDING);
}

/* The text of a member in scratch, since the document does not stay. */
static cairn_status keep_text(cairn_context *ctx, const char *text, const char **out)
{
    char *copy;
    if (!text) return cairn_fail(ctx, CAIRN_BAD_DATA, COURSE ": a text is missing");
    size_t size = strlen(text) + 1;
    CHECK(SCRATCH_RAW(ctx, &copy, size));
    *out = memcpy(copy, text, size);
    return CAIRN_OK;
}

/* The name in the bundle of the lesson that has this id or alias; NULL = none. */
static const char *bundle_name(const char *id)
{
    char name[256];
    int length = snprintf(name, sizeof name, FOLDER "%s" ENDING, id);
    return length < (int)sizeof name && id_length(name) ? cairn_bundle_own_name(name) : NULL;
}

cairn_status cairn_lesson_id(cairn_context *ctx, const char *word, const char **out)
{
    const char *name = bundle_name(word);
    char *id;
    *out = NULL;
    if (!name) return CAIRN_OK;
    size_t length = id_length(name);
    CHECK(SCRATCH(ctx, &id, length + 1));
    *out = memcpy(id, name + strlen(FOLDER), length);
    return CAIRN_OK;
}

static const char *title_of(const char *id)
{
    const char *name = bundle_name(id);
    return name ? cairn_bundle_title_of(name) : NULL;
}

/* One topic; a lesson that the library does not hold is a mistake of the file. */
static cairn_status read_topic(cairn_context *ctx, const cairn_json *object, cairn_chapter *out)
{
    const cairn_json *lessons = cairn_json_get(object, "lessons"), *question;
    const char *id;
    CHECK(keep_text(ctx, cairn_json_string(cairn_json_get(object, "topic")), &out->name));
    CHECK(keep_text(ctx, cairn_json_string(cairn_json_get(object, "title")), &out->title));
    CHECK(keep_text(ctx, cairn_json_string(cairn_json_get(object, "text")), &out->text));
    out->n = cairn_json_size(lessons);
    CHECK(SCRATCH(ctx, &out->lessons, out->n + 1));
    for (size_t i = 0; (id = cairn_json_member(lessons, i, &question)); i++) {
        cairn_lesson_item *item = &out->lessons[i];
        *item = (cairn_lesson_item){
            .title = title_of(id), .topic = out->name, .topic_title = out->title, .number = i + 1};
        if (!item->title)
            return cairn_fail(ctx, CAIRN_BAD_DATA, COURSE ": there is no lesson '%s'", id);
        CHECK(keep_text(ctx, id, &item->id));
        CHECK(keep_text(ctx, cairn_json_string(question), &item->question));
    }
    return CAIRN_OK;
}

cairn_status cairn_lesson_topics(cairn_context *ctx, cairn_chapter **out, size_t *n)
{
    OWNED(cairn_json_free) cairn_json *document = NULL;
    OWNED(cairn_free) char *bytes = NULL;
    size_t length;
    if (cairn_bundle_has(COURSE)) { /* else the library is without lessons */
        CHECK(cairn_bundle_get(ctx, COURSE, &bytes, &length));
        CHECK(cairn_json_parse(ctx, &document, COURSE, bytes, length));
    }
    const cairn_json *topics = cairn_json_get(document, "topics");
    *n = cairn_json_size(topics);
    CHECK(SCRATCH(ctx, out, *n + 1));
    for (size_t i = 0; i < *n; i++) CHECK(read_topic(ctx, cairn_json_at(topics, i), &(*out)[i]));
    return CAIRN_OK;
}

cairn_status cairn_lesson_list(cairn_context *ctx, cairn_lesson_item **out)
{
    cairn_chapter *topics;
    size_t n = 0, n_topics;
    CHECK(cairn_lesson_topics(ctx, &topics, &n_topics));
    for (size_t t = 0; t < n_topics; t++) n += topics[t].n;
    CHECK(SCRATCH(ctx, out, n + 1));
    n = 0;
    for (size_t t = 0; t < n_topics; t++)
        for (size_t i = 0; i < topics[t].n; i++) (*out)[n++] = topics[t].lessons[i];
    return CAIRN_OK;
}

const cairn_lesson_item *cairn_lesson_named(const cairn_lesson_item *lessons, const char *word)
{
    const char *name = bundle_name(word);
    for (; name && lessons->id; lessons++)
        if (bundle_name(lessons->id) == name) return lessons;
    return NULL;
}

cairn_status cairn_lesson_values(cairn_context *ctx, cairn_json **out)
{
    OWNED(cairn_free) char *bytes = NULL;
    size_t length;
    *out = NULL;
    if (!cairn_bundle_has(VALUES)) return CAIRN_OK;
    CHECK(cairn_bundle_get(ctx, VALUES, &bytes, &length));
    return cairn_json_parse(ctx, out, VALUES, bytes, length);
}
