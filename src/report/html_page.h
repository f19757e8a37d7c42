/* SPDX-License-Identifier: MIT */
/* What every page carries along: its style sheet and the script of the walk through the steps. */
#ifndef CAIRN_REPORT_HTML_PAGE_H
#define CAIRN_REPORT_HTML_PAGE_H

extern const char cairn_html_style[];
extern const char cairn_html_script[];

/* What the policy allows, and nothing else: the two texts as they stand in the page, with the
 * end of line after the tag. cli_html_policy compares them with the page and says what they are. */
#define CAIRN_HTML_STYLE_HASH  "sha256-kDuySDFaPcga4rDhsaxyaSCr7+ag8YNzNhPx3zegGos="
#define CAIRN_HTML_SCRIPT_HASH "sha256-VOFmxwV2t89wALzIqM3YMTWMNc6IMmPJ7IFlDqrtJuQ="

#endif
