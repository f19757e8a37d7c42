#!/bin/sh
# SPDX-License-Identifier: MIT
# Each public header compiles alone, and twice, as strict C17 and as C++17; cairn.h includes all.
# run.sh INCLUDE-FOLDER C-COMPILER C++-COMPILER
set -u
include=$1 cc=$2 cxx=$3
failed=0
count=0
for header in "$include"/cairn/*.h; do
    name=cairn/$(basename "$header")
    count=$((count + 1))
    source=$(printf '#include "%s"\n#include "%s"\nint cairn_unused_name;\n' "$name" "$name")
    echo "$source" | "$cc" -x c -std=c17 -Wall -Wextra -Wstrict-prototypes -pedantic -Werror \
        -fsyntax-only -I "$include" - || { echo "$name fails as C17"; failed=1; }
    echo "$source" | "$cxx" -x c++ -std=c++17 -Wall -Wextra -pedantic -Werror \
        -fsyntax-only -I "$include" - || { echo "$name fails as C++17"; failed=1; }
    if [ -f "$include/cairn/cairn.h" ] && [ "$name" != cairn/cairn.h ] &&
        ! grep -q "#include \"$name\"" "$include/cairn/cairn.h"; then
        echo "$name is not included by cairn/cairn.h"
        failed=1
    fi
    if ! grep -q 'extern "C"' "$header" && grep -q '^[^ /#]' "$header"; then # more than includes
        echo "$name has no extern \"C\" for C++"
        failed=1
    fi
done
echo "$count headers"
[ "$count" -gt 0 ] && exit $failed
