# SPDX-License-Identifier: MIT
timeout --preserve-status --foreground -s TERM 1 cairn evaluate tree @digits --by loo
