/* SPDX-License-Identifier: MIT */
/* The options that mean the same in every command, in groups that the verbs' tables include. */
#include "command/command.h"

#include "data/shape.h"

static const cairn_choice headers[] = {
    {"auto", -1, "found from the first lines"},
    {"yes", 1, "the first line has the names of the columns"},
    {"no", 0, "there are no names; columns are called column1, column2, ..."},
    {0},
};

static const cairn_choice bad_lines[] = {
    {"fail", CAIRN_BAD_LINES_FAIL, "stop with a message that names the line"},
    {"skip", CAIRN_BAD_LINES_SKIP, "leave them out; a warning counts them and names the first"},
    {"pad", CAIRN_BAD_LINES_PAD, "the cells that a short line lacks are missing"},
    {0},
};

static const cairn_choice shapes[] = {
    {"table", CAIRN_SHAPE_TABLE, "one row per case"},
    {"distances", CAIRN_SHAPE_DISTANCES, "a square matrix of distances between cases"},
    {"gram", CAIRN_SHAPE_GRAM, "a square matrix of inner products or kernel values"},
    {"counts", CAIRN_SHAPE_COUNTS,
     "how often each row and column occurred together; every cell becomes a weighted row"},
    {0},
};

const cairn_param cairn_reading_params[] = {
    CAIRN_PARAM(cairn_reading, where, NULL, NULL,
                "keep the rows for which this condition holds, such as 'age >= 18 and sex = "
                "\"female\"' (docs/expressions.md has the language)",
                .often = true),
    CAIRN_PARAM(
        cairn_reading, kinds, NULL, NULL,
        "kinds of columns, such as code=level,size=ordered(small,large) (number or "
        "quantitative; level, categorical or boolean; ordered or ordinal; text ...; docs/data.md "
        "has all)"),
    CAIRN_PARAM(cairn_reading, missing_mark, NULL, NULL,
                "cells that stand for a missing value beside the usual ones (NA, NaN, null ...), "
                "separated by commas, such as n.a.,-9"),
    CAIRN_PARAM(cairn_reading, only_marks, "no", NULL,
                "of the usual marks only ? and the empty cell stand for a missing value: NA is a "
                "value like any other unless --missing-mark names it"),
    CAIRN_PARAM(cairn_reading, separator, NULL, NULL,
                "what stands between cells: one character, or tab, or blank; found by itself"),
    CAIRN_PARAM(cairn_reading, decimal, NULL, NULL, "the decimal mark: . or ,"),
    CAIRN_PARAM(cairn_reading, thousands, NULL, NULL,
                "what stands between the thousands of a number, as in 1,234,567: one of , . ' _ or "
                "blank"),
    CAIRN_PARAM(cairn_reading, skip, "0", "[0,inf)",
                "lines before the header that are no part of the table"),
    CAIRN_PARAM(cairn_reading, comment, NULL, NULL,
                "lines that begin with this mark, such as #, are left out"),
    CAIRN_PARAM_CHOICE(cairn_reading, bad_lines, "fail", bad_lines,
                       "what becomes of lines with too few or too many cells"),
    CAIRN_PARAM_CHOICE(cairn_reading, header, "auto", headers,
                       "whether the first line has the names of the columns"),
    CAIRN_PARAM(cairn_reading, time_format, NULL, NULL,
                "how times are written when not like 2026-11-15 14:30, such as %d.%m.%Y"),
    CAIRN_PARAM(cairn_reading, encoding, NULL, NULL,
                "encoding of the file, such as cp1252 (Windows) or latin1; UTF-8 if not given"),
    CAIRN_PARAM(cairn_reading, sheet, NULL, NULL,
                "the sheet of a workbook, by name or number; the first if not given"),
    CAIRN_PARAM(cairn_reading, transpose, "no", NULL, "columns of the table are lines of the file"),
    CAIRN_PARAM(cairn_reading, input_format, NULL, NULL,
                "format of the input (see cairn list formats); found from name and content",
                .names = "format"),
    CAIRN_PARAM_CHOICE(cairn_reading, as, "table", shapes, "what the numbers of the file are"),
    CAIRN_PARAM_END,
};

const cairn_param cairn_long_form_params[] = {
    CAIRN_PARAM_AS(cairn_long_form, sequence, CAIRN_TYPE_COLUMNS, NULL,
                   "the column whose equal cells make a sequence: every row is a step of one, and "
                   "columns of steps become columns of sequences"),
    CAIRN_PARAM_AS(
        cairn_long_form, order, CAIRN_TYPE_COLUMNS, NULL,
        "a column of numbers or times that grows within each sequence, which is checked; "
        "steps follow each other as the rows do",
        .when = "sequence"),
    CAIRN_PARAM_AS(cairn_long_form, steps_in, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns whose cells are the steps; those that change within a sequence if "
                   "not given",
                   .when = "sequence"),
    CAIRN_PARAM_END,
};

const cairn_param cairn_roles_params[] = {
    CAIRN_PARAM_AS(
        cairn_roles, target, CAIRN_TYPE_COLUMNS, NULL,
        "the column to predict, or one that is computed, such as 'adult = age >= 18'; fit and "
        "evaluate take several; none = the data have none",
        .often = true),
    CAIRN_PARAM(cairn_roles, against_rest, NULL, NULL,
                "one class of interest: the target becomes this value against all others, which "
                "are called *"),
    CAIRN_PARAM_AS(cairn_roles, features, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns to learn from; all that have no other role if not given",
                   .often = true),
    CAIRN_PARAM_AS(cairn_roles, ignore, CAIRN_TYPE_COLUMNS, NULL, "columns to leave out"),
    CAIRN_PARAM_AS(cairn_roles, weight, CAIRN_TYPE_COLUMNS, NULL,
                   "the column that says how much each row counts"),
    CAIRN_PARAM_AS(
        cairn_roles, id, CAIRN_TYPE_COLUMNS, NULL,
        "columns that name rows: not learned from, kept in predictions; none = there are none, "
        "whatever columns look like"),
    CAIRN_PARAM_AS(cairn_roles, group, CAIRN_TYPE_COLUMNS, NULL,
                   "the column whose equal values stay together when rows are split"),
    CAIRN_PARAM_END,
};

const cairn_choice cairn_task_choices[] = {
    {"auto", CAIRN_TASK_AUTO, "decided from the target, and said in the report"},
    {"classify", CAIRN_CLASSIFY, "predict one of several classes"},
    {"regress", CAIRN_REGRESS, "predict a number"},
    {"cluster", CAIRN_CLUSTER, "find groups; there is no target"},
    {"label", CAIRN_LABEL_ITEMS, "predict a class for every item of a sequence"},
    {0},
};

static const cairn_choice policies[] = {
    {"auto", CAIRN_MISSING_AUTO, "the learner's own way, or impute where it has none"},
    {"fail", CAIRN_MISSING_FAIL, "stop with a message"},
    {"drop", CAIRN_MISSING_DROP, "leave out rows with missing cells"},
    {"impute", CAIRN_MISSING_IMPUTE, "fill in the mean or the most frequent level"},
    {0},
};

const cairn_param cairn_fitting_params[] = {
    CAIRN_PARAM(cairn_fitting, formula, NULL, NULL,
                "target and features in one: 'price ~ age*km + poly(hp,2) - 1' (cairn help design "
                "has the terms)",
                .often = true),
    CAIRN_PARAM_CHOICE(cairn_fitting, task, "auto", cairn_task_choices, "what is to be learned"),
    CAIRN_PARAM(
        cairn_fitting, positive, NULL, NULL,
        "the class that counts as positive; +, 1, yes, true, pos, spam or the rarer one if not "
        "given"),
    CAIRN_PARAM(cairn_fitting, label_mark, NULL, NULL,
                "what stands between the labels of a target with several in one cell, such as ';'; "
                "every label gets a model of its own"),
    CAIRN_PARAM_CHOICE(cairn_fitting, missing, "auto", policies,
                       "what to do with missing cells of features"),
    CAIRN_PARAM_CHOICE(cairn_fitting, scale, "auto", cairn_scale_choices,
                       "bring number columns to a common scale, after the transforms of --with"),
    CAIRN_PARAM(cairn_fitting, strict, "no", NULL,
                "refuse columns that the learner cannot use, such as text, instead of leaving them "
                "out with a warning"),
    CAIRN_PARAM_TRANSFORMS(cairn_fitting,
                           "a transform that comes before the learner, such as standardise or "
                           "impute:numbers=median; may be given several times, in order",
                           .often = true),
    CAIRN_PARAM(cairn_fitting, with_calibration, NULL, NULL,
                "make probabilities of the learner's scores by isotonic, logistic, platt or beta "
                "calibration on rows held out by cv:5; isotonic,inner=cv:10 and the like change it "
                "(cairn help calibrated)"),
    CAIRN_PARAM(cairn_fitting, decide, NULL, NULL,
                "how scores become an answer: costs = the class of least expected cost; for two "
                "classes also a number = positive from that score on, or tuned = the threshold "
                "that is best for held-out rows (cairn help cost-sensitive)"),
    CAIRN_PARAM(cairn_fitting, cost_fn, CAIRN_NOT_GIVEN, "[0,inf)",
                "two classes: cost of a false negative, a positive row that is missed; 1 if not "
                "given"),
    CAIRN_PARAM(cairn_fitting, cost_fp, CAIRN_NOT_GIVEN, "[0,inf)",
                "two classes: cost of a false positive, a false alarm; 1 if not given"),
    CAIRN_PARAM(cairn_fitting, reject, CAIRN_NOT_GIVEN, "[0,inf)",
                "cost of giving no answer: rows whose answer is expected to cost more are rejected "
                "(a wrong answer costs 1 if not said otherwise)"),
    CAIRN_PARAM(
        cairn_fitting, costs, NULL, NULL,
        "what each answer costs, by name as in 'no>yes=1;yes>no=5' (ACTUAL>PREDICTED), or as "
        "a table, rows actual, columns predicted, in the order of the confusion table: 0,5;1,0"),
    CAIRN_PARAM_END,
};

const cairn_param cairn_running_params[] = {
    CAIRN_PARAM(cairn_running, seed, "1", "[0,inf)",
                "start of the random numbers; the same seed gives the same result", .often = true),
    CAIRN_PARAM(cairn_running, threads, "0", "[0,inf)",
                "number of threads; 0 means all; the result does not depend on it"),
    CAIRN_PARAM(cairn_running, memory, NULL, NULL,
                "most memory to use, such as 500M or 4G; what the machine has if not given"),
    CAIRN_PARAM(cairn_running, limits, NULL, NULL,
                "limits on what is read and done, as in columns=5000,cell=1M,unpacked=2G,work=8T; "
                "docs/limits.md has all of them with their defaults"),
    CAIRN_PARAM(
        cairn_running, timings, "no", NULL,
        "add seconds and peak memory to the report (time.read, time.fit, time.predict, time.judge, "
        "time.transform, time.compute, memory.peak)"),
    CAIRN_PARAM_END,
};

const cairn_choice cairn_format_choices[] = {
    {"text", CAIRN_FORMAT_TEXT, "for a terminal"},
    {"json", CAIRN_FORMAT_JSON, "for programs: all values by name"},
    {"markdown", CAIRN_FORMAT_MARKDOWN, "for documents"},
    {"html", CAIRN_FORMAT_HTML, "one page with pictures, for a browser"},
    {0},
};

const cairn_param cairn_printing_params[] = {
    CAIRN_PARAM_CHOICE(cairn_printing, format, "text", cairn_format_choices,
                       "how the report is printed", .often = true),
    CAIRN_PARAM_WRITES(
        cairn_printing, out,
        "write the result to this file; its ending chooses the format; .svg, .png and "
        ".pdf take the pictures of a report",
        .often = true),
    CAIRN_PARAM(cairn_printing, full, "no", NULL,
                "text on the screen: everything that is known, not only the first screen (files, "
                "pages and JSON always have everything)",
                .often = true),
    CAIRN_PARAM(cairn_printing, brief, "no", NULL,
                "text on the screen: what one came for, on a screen; this is what is done without "
                "--full"),
    CAIRN_PARAM(cairn_printing, quiet, "no", NULL,
                "no remarks and warnings; no report either when --out or --save is given"),
    CAIRN_PARAM_END,
};
