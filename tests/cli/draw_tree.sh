# SPDX-License-Identifier: MIT
cairn fit tree @weather --save w.cairn --quiet
cairn draw tree w.cairn
cairn draw tree w.cairn --out w.svg
head -c 4 w.svg
