# SPDX-License-Identifier: MIT
cairn convert @confusion-pets - --to csv --as counts
