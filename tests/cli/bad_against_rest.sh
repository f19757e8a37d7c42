# SPDX-License-Identifier: MIT
cairn fit tree @iris --against-rest virginia || echo "exit $?"
cairn fit tree @iris --against-rest zebra || echo "exit $?"
cairn fit tree @iris --against-rest '*' || echo "exit $?"
printf 'a,b\n1,x\n2,y\n' > plain.csv
cairn fit tree plain.csv --against-rest x || echo "exit $?"
cairn fit tree plain.csv --target a,b --against-rest x || echo "exit $?"
