# SPDX-License-Identifier: MIT
# A workbook is written as the specification says, and a second reader finds the cells in it; formulas
# are texts; a file that cannot be written whole leaves the one that was there.
command -v python3 >/dev/null || { echo "python3 is not there"; exit 77; }
printf '%s\n' 'n,x,l,day,when,fine,old,odd <&> name' \
    '1,0.1,a,2026-11-15,2026-11-15 10:30,2026-11-15 10:30:00.250,1899-12-31,=HYPERLINK("x")' \
    ',-1e300,b <&>,1900-01-01,1900-03-01 00:00,,2026-01-01,+1' \
    ',,,,,,,' \
    '3,9007199254740992,a,2026-11-16,,2026-11-16 00:00:00.001,2026-01-02,_x0041_' >t.csv
printf '%s\n' '{"flag":true,"bag":["p","q r"]}' '{"flag":false,"bag":[]}' '{"flag":null,"bag":null}' >u.ndjson
cairn convert t.csv t.xlsx
python3 "$ROOT/tests/cli/xlsx_parts.py" t.xlsx
cairn convert u.ndjson u.xlsx
python3 "$ROOT/tests/cli/xlsx_parts.py" u.xlsx
cairn convert t.xlsx - --to csv --quiet >back.csv
cairn convert t.csv - --to csv --quiet | cmp - back.csv && echo "comes back"
cp t.xlsx before.xlsx
awk 'BEGIN { print "a"; for (i = 0; i < 90000; i++) print i * 7 % 1009 }' >long.csv
(ulimit -f 20 && cairn convert long.csv t.xlsx 2>full) || echo "exit $?"
sed "s|$PWD/||" full
cmp t.xlsx before.xlsx && echo "as before"
cairn convert long.csv t.xlsx --memory 100K || echo "exit $?"
cmp t.xlsx before.xlsx && echo "as before"
ls
