# SPDX-License-Identifier: MIT
# Dates are found, declared by a pattern, written back as they were, and refused with the reason.
printf 'day,german,n\n2026-11-15,15.11.2026,1\n,1.2.2026,2\n2026-11-17,3.4.2026,3\n' >d.csv
cairn convert d.csv - --to csv
cairn convert d.csv - --to arff --time-format %d.%m.%Y
cairn convert d.csv - --to csv --kinds 'german=time(%d.%m.%Y)' --with 'time:parts=[month,weekday]'
printf 'd\n2026-02-28\n2026-02-30\n' >bad.csv
cairn convert bad.csv - --to csv --kinds d=time || echo "exit $?"
cairn convert bad.csv - --to csv --time-format %K || echo "exit $?"
