# SPDX-License-Identifier: MIT
[ -w /dev/full ] || exit 77
cairn describe @iris >/dev/full
