#!/bin/sh
# SPDX-License-Identifier: MIT
# The C++ wrappers are compiled by each compiler there is, without exceptions and with them, with
# every warning an error, and run. wrappers.sh SOURCE-FOLDER BUILD-FOLDER COMPILER...
set -eu
source=$1 build=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for compiler in "$@"; do
    command -v "$compiler" >/dev/null || continue
    for how in -fno-exceptions -DCAIRN_EXCEPTIONS; do
        "$compiler" -std=c++17 $how -O1 -Wall -Wextra -Wconversion -Wshadow -pedantic -Werror \
            -I "$source/include" "$source/tests/headers/wrappers.cpp" -o "$folder/wrappers" \
            -L "$build" -lcairn-course -Wl,-rpath,"$build"
        "$folder/wrappers"
        echo "ok: $compiler $how"
    done
done
