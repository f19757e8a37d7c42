# SPDX-License-Identifier: MIT
# A file that may grow no further: told as a full disk is, and nothing is left behind.
[ "${CAIRN_SANITIZED-}" != thread ] || exit 77 # its own files would meet the limit, too
awk 'BEGIN { print "a"; for (i = 0; i < 60000; i++) print i * 7 }' >t.csv
(ulimit -f 100 && cairn convert t.csv out.csv)
echo "exit $?"
ls
