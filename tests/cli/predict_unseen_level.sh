# SPDX-License-Identifier: MIT
cairn fit majority @weather --save m.cairn --quiet
printf 'day,outlook,temperature,humidity,wind\nD1,foggy,hot,high,weak\n' >t.csv
cairn predict m.cairn t.csv
