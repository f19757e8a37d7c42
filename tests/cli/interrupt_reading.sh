# SPDX-License-Identifier: MIT
# Ctrl-C while waiting for standard input
sleep 60 | timeout --preserve-status --foreground -s INT 1 cairn describe -
