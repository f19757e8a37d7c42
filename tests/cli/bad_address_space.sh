# SPDX-License-Identifier: MIT
# A limit of the address space that the table does not fit into: a message and exit code 6, at once.
[ -z "${CAIRN_SANITIZED-}" ] || exit 77 # sanitizers reserve more than any limit
awk 'BEGIN { print "a,b,c,d,y"; for (i = 0; i < 400000; i++) print i ".25," i * 2 "," i * 3 "," i % 7 "," i % 2 }' >t.csv
ulimit -v 60000
cairn fit forest t.csv --target y 2>said
echo "exit code $?"
grep -o 'of memory' said
