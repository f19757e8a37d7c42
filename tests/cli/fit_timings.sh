# SPDX-License-Identifier: MIT
cairn fit majority @weather --timings --format json | grep -c -E '"(time\.(read|fit|predict)|memory\.peak)": [0-9]'
cairn fit majority @weather --format json | grep -c 'time' || true
