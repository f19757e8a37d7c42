# SPDX-License-Identifier: MIT
[ -w /dev/full ] || exit 77
cairn describe @iris --out /dev/full
