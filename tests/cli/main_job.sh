# SPDX-License-Identifier: MIT
# what `make run` shows
cairn evaluate --full tree @iris --by cv:10 | head -n 20
