# SPDX-License-Identifier: MIT
# A database that may grow no further: told as what it is, and neither it nor a journal is left.
[ "${CAIRN_SANITIZED-}" != thread ] || exit 77 # its own files would meet the limit, too
awk 'BEGIN { print "a"; for (i = 0; i < 60000; i++) print i * 7 }' >t.csv
(ulimit -f 100 && cairn convert t.csv 'sqlite:out.db?table=t')
echo "exit $?"
ls
