/* SPDX-License-Identifier: MIT */
/* Manual pages in roff, made from the records: cairn(1) for the program, cairn-NAME(1) for a verb
 * or another entry. */
#include "command/command.h"

#include <string.h>

/* Text in which nothing is a roff command: backslashes, minus signs, dots and quotes in front. */
static void add_roff(cairn_text *out, const char *text)
{
    bool line_start = true;
    for (; *text; text++) {
        if (line_start && (*text == '.' || *text == '\'')) cairn_text_add(out, "\\&");
        if (*text == '\\')
            cairn_text_add(out, "\\e");
        else if (*text == '-')
            cairn_text_add(out, "\\-");
        else
            cairn_text_add_char(out, *text);
        line_start = *text == '\n';
    }
}

static void add_section(cairn_text *out, const char *title, const char *text)
{
    if (!text) return;
    cairn_text_addf(out, ".SH %s\n", title);
    add_roff(out, text);
    cairn_text_add_char(out, '\n');
}

static void add_title(cairn_text *out, const char *page)
{
    cairn_text_add(out, ".TH \"");
    for (; *page; page++) {
        bool small = *page >= 'a' && *page <= 'z';
        cairn_text_add_char(out, small ? (char)(*page - 'a' + 'A') : *page);
    }
    cairn_text_addf(out, "\" 1 \"\" \"cairn %s\" \"User commands\"\n", cairn_version());
}

/* A paragraph of roff for an option; a switch shows no default, since it is off. */
static void add_option(cairn_text *out, const cairn_entry *entry, size_t i)
{
    const cairn_param *row = cairn_params_row(entry, i, NULL);
    cairn_text value = cairn_text_start(out->ctx), meaning = cairn_text_start(out->ctx);
    char option[64];
    cairn_option_name(option, row->name);
    cairn_param_placeholder(&value, row);
    cairn_param_meaning(&meaning, entry, i);
    cairn_text_add(out, ".TP\n\\fB\\-\\-");
    add_roff(out, option);
    cairn_text_add(out, "\\fR");
    if (value.length) {
        cairn_text_add(out, " \\fI");
        add_roff(out, cairn_text_string(&value));
        cairn_text_add(out, "\\fR");
    }
    cairn_text_add_char(out, '\n');
    add_roff(out, cairn_text_string(&meaning));
    cairn_text_add(out, ".");
    if (row->initial && row->type != CAIRN_TYPE_BOOL) {
        cairn_text_add(out, " Default: ");
        add_roff(out, row->initial);
        cairn_text_add_char(out, '.');
    }
    cairn_text_add_char(out, '\n');
    if (value.status) out->status = value.status;
    if (meaning.status) out->status = meaning.status;
    cairn_text_clear(&value);
    cairn_text_clear(&meaning);
}

/* The codes are a promise to scripts; they are those of docs and of cairn_status, in this order. */
static void add_exit_codes(cairn_text *out)
{
    static const char *const codes[][2] = {
        {"0", "done"},
        {"1", "a requested check failed"},
        {"2", "a wrong name, or a value outside its declared range"},
        {"3", "data or model bad, or a parameter that the data cannot satisfy"},
        {"4", "the problem has no solution"},
        {"5", "file or system error"},
        {"6", "out of memory, or more than --memory allows"},
        {"70", "an error in Cairn itself"},
        {"130", "interrupted"}};
    cairn_text_add(out, ".SH EXIT STATUS\n");
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        cairn_text_addf(out, ".TP\n%s\n", codes[i][0]);
        add_roff(out, codes[i][1]);
        cairn_text_add_char(out, '\n');
    }
}

/* The page of the program lists what the registry has, so it cannot forget a verb or a learner. */
static void add_program(cairn_text *out)
{
    size_t n;
    const cairn_entry *const *entries = cairn_entries(out->ctx, &n);
    add_title(out, "cairn");
    cairn_text_add(out, ".SH NAME\ncairn \\- machine learning that shows its work\n"
                        ".SH SYNOPSIS\n\\fBcairn\\fR \\fIVERB\\fR [\\fIwords\\fR] "
                        "[\\fIoptions\\fR]\n.SH VERBS\n");
    for (size_t i = 0; i < n; i++) {
        if (entries[i]->kind != CAIRN_ENTRY_VERB) continue;
        cairn_text_add(out, ".TP\n\\fB");
        add_roff(out, entries[i]->name);
        cairn_text_add(out, "\\fR ");
        add_roff(out, ((const cairn_verb *)entries[i])->arguments);
        cairn_text_addf(out, "\n%s; see \\fBcairn\\-%s\\fR(1).\n", entries[i]->title,
                        entries[i]->name);
    }
    cairn_text_add(out, ".SH LEARNERS\n");
    for (size_t i = 0; i < n; i++) {
        if (entries[i]->kind != CAIRN_ENTRY_LEARNER) continue;
        cairn_text_add(out, ".TP\n\\fB");
        add_roff(out, entries[i]->name);
        cairn_text_add(out, "\\fR\n");
        add_roff(out, entries[i]->title);
        cairn_text_add_char(out, '\n');
    }
    add_exit_codes(out);
    cairn_text_add(out,
                   ".SH ENVIRONMENT\n.TP\nNO_COLOR\nWhen set, no colours and other escape codes "
                   "are used.\n"
                   ".TP\nCOLUMNS\nWidth of the text where the output is no terminal; 80 if "
                   "not set.\n"
                   ".TP\nCAIRN_KERNELS\nInstruction set of the numeric loops: generic, avx2 "
                   "or avx512; the best one if "
                   "not set. Results do not depend on it.\n");
}

void cairn_help_man(cairn_text *out, const cairn_entry *entry)
{
    char page[96] = "cairn-";
    if (!entry) {
        add_program(out);
        return;
    }
    strncat(page, entry->name, sizeof page - strlen(page) - 1);
    cairn_text usage = cairn_text_start(out->ctx), summary = cairn_text_start(out->ctx);
    cairn_help_usage(&usage, entry);
    cairn_help_say(&summary, entry, entry->summary);
    add_title(out, page);
    cairn_text_add(out, ".SH NAME\n");
    add_roff(out, page);
    cairn_text_add(out, " \\- ");
    add_roff(out, entry->title);
    cairn_text_add_char(out, '\n');
    if (usage.length) add_section(out, "SYNOPSIS", cairn_text_string(&usage));
    if (summary.length) add_section(out, "DESCRIPTION", cairn_text_string(&summary));
    if (cairn_params_row(entry, 0, NULL)) cairn_text_add(out, ".SH OPTIONS\n");
    for (size_t i = 0; cairn_params_row(entry, i, NULL); i++) add_option(out, entry, i);
    add_section(out, "EXAMPLE", entry->example);
    add_section(out, "REFERENCES", entry->references);
    if (entry->kind == CAIRN_ENTRY_VERB) add_exit_codes(out);
    cairn_text_add(out, ".SH SEE ALSO\n\\fBcairn\\fR(1)\n");
    if (usage.status) out->status = usage.status;
    if (summary.status) out->status = summary.status;
    cairn_text_clear(&usage);
    cairn_text_clear(&summary);
}
