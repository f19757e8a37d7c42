# SPDX-License-Identifier: MIT
# the reader goes away: no message
cairn list | head -n 1 >/dev/null
cairn convert @digits - --to csv | head -n 1 | cut -c 1-20
