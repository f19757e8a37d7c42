/* SPDX-License-Identifier: MIT */
/* What every page carries along: its style sheet and the script of the walk through the steps. */
#ifndef CAIRN_REPORT_HTML_PAGE_H
#define CAIRN_REPORT_HTML_PAGE_H

extern const char cairn_html_style[];
extern const char cairn_html_script[];

#endif
