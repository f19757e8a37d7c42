/* SPDX-License-Identifier: MIT */
/* The one search over everything that has a name: entries with their synonyms, titles, options and
 * summaries, topics, built-in data, lessons, and the named values of reports. It stands behind
 * 'cairn help WORDS', 'cairn list WORDS' and 'cairn lesson WORDS'. */
#ifndef CAIRN_COMMAND_FIND_H
#define CAIRN_COMMAND_FIND_H

#include "command/command.h"
#include "entry/query.h"

typedef struct cairn_hit {
    const char *kind;  /* "learner", "topic", "data", "lesson", "value" */
    const char *name;  /* as it is typed: "tree", "@iris", "node1.entropy" */
    const char *title; /* what it is */
    const char *by;    /* why it was found: "name", "synonym ID3", "option --impurity gini" */
    const char *type;  /* the command that tells more: "cairn help tree" */
    const char *use;   /* what to type for it: "tree:preset=id3"; NULL = the name */
    int score;         /* less is better; 0 is the very name */
    size_t order;      /* among hits of equal score */
} cairn_hit;

/* From this score on only some of the words were met. */
enum { CAIRN_SOME_WORDS = 100 };

typedef struct cairn_hits {
    cairn_hit *all; /* best first; scratch */
    size_t n;
} cairn_hits;

/* What searches go through, opened once for many of them: lessons have to be unpacked. */
typedef struct cairn_finder {
    cairn_context *ctx;
    const struct cairn_lesson_item *items;
    struct cairn_lesson *lessons; /* one per item; without an id where it cannot be read */
    struct cairn_json *values;    /* the list of all commands with the names of their values */
    size_t n;
} cairn_finder;

CAIRN_CHECKED cairn_status cairn_finder_open(cairn_context *ctx, cairn_finder *out);
void cairn_finder_close(cairn_finder *finder);
/* As cairn_find does. */
CAIRN_CHECKED cairn_status cairn_finder_ask(const cairn_finder *finder, cairn_hits *out,
                                            const char *words);

/* Everything that answers to the words; of several words each counts alone where nothing answers to
 * all of them. Strings are scratch. */
CAIRN_CHECKED cairn_status cairn_find(cairn_context *ctx, cairn_hits *out, const char *words);
/* Lessons only: their id, title and text, and the names of their values. */
CAIRN_CHECKED cairn_status cairn_find_lessons(cairn_context *ctx, cairn_hits *out,
                                              const char *words);
/* A table of the hits with the values found.count, found.I.name, .kind, .title, .by, .type. */
void cairn_find_show(cairn_report *report, const cairn_hits *hits, const char *words);
/* The same values without a table. */
void cairn_find_hide(cairn_report *report, const cairn_hits *hits);
/* Whether the best of the hits is called exactly so: an entry, a topic or data. */
bool cairn_find_is_called(const cairn_hits *hits);
/* Fails (CAIRN_USAGE): nothing answers to the words; the nearest names are told. */
CAIRN_CHECKED cairn_status cairn_find_nothing(cairn_context *ctx, const char *words);
/* The words of a command with blanks between; scratch. */
CAIRN_CHECKED cairn_status cairn_find_join(const cairn_command *command, const char **out);

/* -- topics: words of the field that name no record -- */
typedef struct cairn_topic {
    const char *name;     /* NULL ends the table */
    const char *also;     /* what else it is called, separated by commas; may be NULL */
    const char *text;     /* what it is and where it is met here */
    const char *commands; /* to try, one per line */
    const char *page;     /* of docs/ */
} cairn_topic;

extern const cairn_topic cairn_topics[];
/* A topic as search sees it. */
cairn_entry cairn_topic_entry(const cairn_topic *topic);
/* The topic of exactly that name or synonym, or NULL. */
const cairn_topic *cairn_topic_find(const char *words);

#endif
