#!/bin/sh
# SPDX-License-Identifier: MIT
# No binary names a folder of the machine it was built on: paths.sh SOURCE BUILD
set -u
found=0
for file in "$2"/libcairn.so "$2"/libcairn.a "$2"/cairn "$2"/cairn-*.so; do
    [ -f "$file" ] || continue
    for folder in "$1/src" "$1/include" "$1/program" "$1/modules" "$2"; do
        if tr '\0' '\n' <"$file" | LC_ALL=C grep -a -q -e "^$folder/" -e "^$folder\$"; then
            echo "$(basename "$file") names $folder"
            found=1
        fi
    done
done
exit $found
