/* SPDX-License-Identifier: MIT */
/* A report as a LaTeX document for paper: headings, texts, tables and space to write on. It needs
 * nothing but the packages that every LaTeX has; letters that its fonts lack are written as
 * formulas, or as a question mark. Figures are left out. */
#include "report/document.h"
#include "report/wrap.h"
#include "base/memory.h"

#include <string.h>

enum { DIGITS = 6 };

static const char document_start[] =
    "\\documentclass[11pt,a4paper]{article}\n"
    "\\usepackage[utf8]{inputenc}\n\\usepackage[T1]{fontenc}\n"
    "\\addtolength{\\textwidth}{3cm}\\addtolength{\\oddsidemargin}{-1.5cm}\n"
    "\\addtolength{\\textheight}{3cm}\\addtolength{\\topmargin}{-2cm}\n"
    "\\setlength{\\parindent}{0pt}\\setlength{\\parskip}{4pt}\n"
    "\\begin{document}\n";
static const char document_end[] = "\\end{document}\n";
static const char table_start[] =
    "\\smallskip\n{\\small\\setlength{\\tabcolsep}{4pt}\n\\begin{tabular}{";
static const char table_end[] = "\\end{tabular}}\n\n\\smallskip\n";

typedef struct latex_printer {
    cairn_text *out;
    const cairn_report *report;
    int digits;
    cairn_text clean;
} latex_printer;

/* How a letter is written that means something to LaTeX or has no place in its fonts. */
static const struct {
    const char *letter, *written;
} spellings[] = {
    {"\\", "\\textbackslash{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"$", "\\$"},
    {"&", "\\&"},
    {"#", "\\#"},
    {"%", "\\%"},
    {"_", "\\_"},
    {"^", "\\^{}"},
    {"~", "\\~{}"},
    {"<", "$<$"},
    {">", "$>$"},
    {"|", "$|$"},
    {"\"", "\\textquotedbl{}"},
    {"−", "$-$"},
    {"·", "$\\cdot$"},
    {"×", "$\\times$"},
    {"±", "$\\pm$"},
    {"≥", "$\\ge$"},
    {"≤", "$\\le$"},
    {"≠", "$\\ne$"},
    {"≈", "$\\approx$"},
    {"√", "$\\surd$"},
    {"∫", "$\\int$"},
    {"Σ", "$\\Sigma$"},
    {"π", "$\\pi$"},
    {"σ", "$\\sigma$"},
    {"θ", "$\\theta$"},
    {"λ", "$\\lambda$"},
    {"α", "$\\alpha$"},
    {"γ", "$\\gamma$"},
    {"δ", "$\\delta$"},
    {"ε", "$\\varepsilon$"},
    {"χ", "$\\chi$"},
    {"¹", "$^1$"},
    {"²", "$^2$"},
    {"³", "$^3$"},
    {"⁸", "$^8$"},
    {"ⁿ", "$^n$"},
    {"⁻", "$^-$"},
    {"ᵀ", "$^T$"},
    {"ᵃ", "$^a$"},
    {"₀", "$_0$"},
    {"₁", "$_1$"},
    {"₂", "$_2$"},
    {"½", "$\\frac12$"},
    {"⌊", "$\\lfloor$"},
    {"⌋", "$\\rfloor$"},
    {"→", "$\\to$"},
    {"∞", "$\\infty$"},
    {"…", "\\dots{}"},
    {"▲", "$\\triangle$"},
    {"▽", "$\\nabla$"},
};

/* One letter of `length` bytes. Accented letters up to U+017F are in the fonts. */
static void put_letter(cairn_text *out, const char *at, size_t length)
{
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (strlen(spellings[i].letter) == length && memcmp(spellings[i].letter, at, length) == 0) {
            cairn_text_add(out, spellings[i].written);
            return;
        }
    if (length == 1 || (length == 2 && (unsigned char)*at <= 0xC5))
        cairn_text_add_bytes(out, at, length);
    else
        cairn_text_add_char(out, '?');
}

/* Text with every letter as LaTeX takes it; line ends stay. */
static void put_text(latex_printer *p, const char *text)
{
    size_t cells;
    p->clean.length = 0;
    cairn_text_add(&p->clean, "");
    cairn_text_add_clean(&p->clean, text, true);
    for (const char *at = cairn_text_string(&p->clean); *at;) {
        size_t length = cairn_text_letter(at, &cells);
        if (*at == '\n')
            cairn_text_add(p->out, "\\\\\n");
        else
            put_letter(p->out, at, length);
        at += length;
    }
}

static void put_between(latex_printer *p, const char *before, const char *text, const char *after)
{
    cairn_text_add(p->out, before);
    put_text(p, text);
    cairn_text_add(p->out, after);
}

/* Lines of a listing: each is a line of its own in the fonts of a typewriter. */
static void put_listing(latex_printer *p, const char *text)
{
    cairn_text_add(p->out, "{\\ttfamily\\small\\obeylines\\obeyspaces\n");
    for (const char *end; *text; text = *end ? end + 1 : end) {
        end = text + strcspn(text, "\n");
        for (size_t cells; text < end;) {
            size_t length = cairn_text_letter(text, &cells);
            put_letter(p->out, text, length);
            text += length;
        }
        cairn_text_add(p->out, "\\leavevmode\n");
    }
    cairn_text_add(p->out, "}\n\n");
}

/* A table as wide as its cells; long ones are cut in the report already. */
static void put_table(latex_printer *p, const cairn_report_table *table)
{
    cairn_column_style *styles;
    cairn_status status = NEW(p->out->ctx, &styles, table->n_columns);
    if (status) {
        if (!p->out->status) p->out->status = status;
        return;
    }
    if (table->title) put_between(p, "\\textbf{", table->title, "}\n\n");
    cairn_text_add(p->out, table_start);
    for (size_t j = 0; j < table->n_columns; j++) {
        styles[j] = cairn_column_examine(table, j, p->digits);
        cairn_text_add_char(p->out, table->columns[j].align);
    }
    cairn_text_add(p->out, "}\n");
    for (size_t j = 0; j < table->n_columns; j++)
        put_between(p, j ? " & " : "", table->columns[j].head, "");
    cairn_text_add(p->out, " \\\\ \\hline\n");
    for (size_t i = 0; i < table->n_rows; i++) {
        char number[CAIRN_NUMBER_SIZE];
        for (size_t j = 0; j < table->n_columns; j++) {
            const cairn_shown_cell *cell = &table->cells[i * table->n_columns + j];
            if (j) cairn_text_add(p->out, " & ");
            if (!cell->text) cairn_cell_format(number, &styles[j], cell, p->digits);
            put_text(p, cell->text ? cell->text : number);
        }
        cairn_text_add(p->out, " \\\\\n");
    }
    cairn_text_add(p->out, table_end);
    if (table->n_seen > table->n_rows) {
        cairn_text_add_more_rows(p->out, table);
        cairn_text_add(p->out, "\n\n");
    }
    cairn_free(styles);
}

static void put_value(latex_printer *p, const cairn_block *block)
{
    char number[CAIRN_NUMBER_SIZE];
    if (block->kind == CAIRN_BLOCK_NUMBER)
        cairn_number_show(number, block->number, p->digits ? p->digits : DIGITS);
    put_between(p, "", block->text, ": ");
    put_text(p, block->kind == CAIRN_BLOCK_NUMBER ? number : block->word);
    cairn_text_add(p->out, "\n\n");
}

static void put_heading(latex_printer *p, const cairn_block *block)
{
    static const char *const commands[] = {"section*", "subsection*", "subsubsection*"};
    int level = block->level < 1 ? 1 : block->level > 3 ? 3 : block->level;
    cairn_text_addf(p->out, "\\%s{", commands[level - 1]);
    put_text(p, block->text);
    cairn_text_add(p->out, "}\n\n");
}

/* Figures, chapters and folds have no form here and leave nothing behind. */
static void put_block(latex_printer *p, const cairn_block *block)
{
    switch (block->kind) {
    case CAIRN_BLOCK_HEADING: put_heading(p, block); break;
    case CAIRN_BLOCK_PARAGRAPH:
    case CAIRN_BLOCK_FORMULA: put_between(p, "", block->text, "\n\n"); break;
    case CAIRN_BLOCK_NOTE: put_between(p, "\\emph{", block->text, "}\n\n"); break;
    case CAIRN_BLOCK_STEP: put_between(p, "\\paragraph{", block->text, "}\n\n"); break;
    case CAIRN_BLOCK_VERBATIM: put_listing(p, block->text); break;
    case CAIRN_BLOCK_NUMBER:
    case CAIRN_BLOCK_WORD: put_value(p, block); break;
    case CAIRN_BLOCK_TABLE: put_table(p, &p->report->tables[block->index]); break;
    case CAIRN_BLOCK_SPACE:
        for (size_t i = 0; i < block->index; i++)
            cairn_text_add(p->out, "\\noindent\\rule{0pt}{2em}\\hrulefill\n\n");
        break;
    case CAIRN_BLOCK_PAGE: cairn_text_add(p->out, "\\newpage\n"); break;
    case CAIRN_BLOCK_FIGURE:
    case CAIRN_BLOCK_STEP_END:
    case CAIRN_BLOCK_CHAPTER:
    case CAIRN_BLOCK_FOLD:
    case CAIRN_BLOCK_FOLD_END:
    case CAIRN_BLOCK_CLIP:
    case CAIRN_BLOCK_CLIP_END: break;
    }
}

void cairn_report_print_latex(cairn_text *out, const cairn_report *report,
                              const cairn_print_options *options)
{
    latex_printer p = {.out = out,
                       .report = report,
                       .digits = options->digits,
                       .clean = cairn_text_start(out->ctx)};
    cairn_text_add(out, document_start);
    for (size_t i = 0; i < report->n_blocks && !out->status; i++) put_block(&p, &report->blocks[i]);
    cairn_text_add(out, document_end);
    if (!out->status) out->status = p.clean.status;
    cairn_text_clear(&p.clean);
}
