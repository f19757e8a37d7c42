# SPDX-License-Identifier: MIT
printf 'when,x\n2026-01-01,1\n2030-05-05,2\n2031-02-02,3\n' >t.csv
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said convert t.csv - --to csv --where 'when > 2030'
said convert t.csv - --to csv --where 'when between "2030-01-01" and -5'
said convert t.csv - --to csv --where 'when > "2030-01-01"'
said convert t.csv - --to csv --where 'year(when) > 2030'
said convert t.csv - --to csv --where 'number(when) > 1900000000'
