# SPDX-License-Identifier: MIT
# Every manual page is correct roff.
command -v groff >/dev/null || exit 77
for word in '' fit predict evaluate describe draw convert compute list help lesson majority; do
    cairn help $word --format man | groff -man -Tutf8 -ww -z || echo "bad page: $word"
done
