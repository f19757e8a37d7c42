# SPDX-License-Identifier: MIT
cairn fit tree @texts --with bag:unknown=count --save m.cairn --quiet >/dev/null
printf 'text\nwin a bicycle\nmeeting at noon\n' >new.csv
cairn predict m.cairn new.csv --out - --quiet
