# SPDX-License-Identifier: MIT
# results on standard output, everything else on standard error
printf 'day,outlook,temperature,humidity,wind\nD1,foggy,hot,high,weak\n' >t.csv
cairn fit majority @weather --save m.cairn >/dev/null
cairn predict m.cairn t.csv 2>/dev/null
