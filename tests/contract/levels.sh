#!/bin/sh
# SPDX-License-Identifier: MIT
# levels.sh BUILD: every learner, transform, lesson and kernel at every level that the machine has.
# The programs compare 1 with 4 threads themselves and write digests of reports, models and numbers;
# here those of the levels are compared.
set -u
build=$1
temporary=$(mktemp -d) || exit 1
trap 'rm -rf "$temporary"' EXIT INT TERM
unset CAIRN_KERNELS
levels=$("$build/cairn" --version | sed -n 's/^kernels: .*(there are \(.*\))$/\1/p' | tr -d ,)
[ -n "$levels" ] || { echo "cairn --version names no levels" >&2; exit 1; }
failed=0
for level in $levels; do
    # the C library, too, as on a processor that has no more than the generic level needs
    [ "$level" = generic ] && tunables=glibc.cpu.hwcaps=-AVX2,-FMA || tunables=
    for program in kernels/test_kernels kernels/test_kernel_curves contract/test_learners \
        contract/test_transform_contract lessons/test_lessons; do
        CAIRN_KERNELS=$level CAIRN_DIGESTS=$temporary/$level GLIBC_TUNABLES=$tunables \
            "$build/tests/$program" '*same_bytes*' >"$temporary/log" 2>&1 || { echo "$program fails at $level"; cat "$temporary/log"; failed=1; }
    done
    [ -s "$temporary/$level" ] || { echo "nothing was written at $level"; exit 1; }
    # an unequal digest is shown with what it is of
    diff "$temporary/generic" "$temporary/$level" || { echo "generic and $level differ"; failed=1; }
done
wc -l <"$temporary/generic" | sed "s/\$/ digests at each of: $levels/"
exit $failed
