# SPDX-License-Identifier: MIT
# Ctrl-C while waiting for standard input
mkfifo pipe
exec 3<>pipe
timeout --preserve-status --foreground -s INT 1 cairn describe - <pipe
