# SPDX-License-Identifier: MIT
cairn convert @weather w.tsv
head -n 2 w.tsv
cairn convert w.tsv - --to csv --ignore day,wind | head -n 2
