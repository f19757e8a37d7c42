#!/bin/sh
# SPDX-License-Identifier: MIT
# Manual pages made of the headers are clean troff, and aliases lead to a page. man.sh SOURCE-FOLDER
set -eu
command -v groff >/dev/null || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1/tools/c-docs" --man "$folder/man3"
cd "$folder"
for page in man3/*.3; do
    case $(head -c 4 "$page") in
    ".so ") [ -f "$(cut -c 5- "$page")" ] || echo "$page leads nowhere" ;;
    *) cat "$page" >>all ;;
    esac
done >bad
groff -man -Tutf8 -ww -z all >>bad 2>&1
if command -v mandoc >/dev/null; then # dates are left out on purpose: pages have a version
    mandoc -Tlint -Wwarning $(grep -L '^\.so' man3/*.3) | grep -v 'missing date' >>bad || true
fi
man3() { grep -c . "man3/$1.3" >/dev/null || echo "no page $1"; }
for name in cairn_table_read cairn_model_fit cairn_context_threads cairn_fit_options cairn-table; do
    man3 "$name"
done >>bad
cat bad
[ ! -s bad ]
