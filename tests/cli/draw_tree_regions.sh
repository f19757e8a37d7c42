# SPDX-License-Identifier: MIT
cairn fit tree @weather --features outlook,humidity --save w.cairn --quiet
cairn draw tree-regions w.cairn
cairn fit tree @weather --save w.cairn --quiet
cairn draw tree-regions w.cairn
