# SPDX-License-Identifier: MIT
# Tables go into an SQLite file and come back; nothing is overwritten.
command -v cairn >/dev/null
cairn convert @weather 'sqlite:w.db?table=weather'
cairn convert 'sqlite:w.db?query=SELECT outlook, play FROM weather WHERE play = "no"' - --to csv
cairn convert @weather 'sqlite:w.db?table=weather' || echo "exit $?"
cairn convert 'sqlite:w.db?table=wether' - --to csv || echo "exit $?"
cairn convert 'sqlite:w.db?query=DROP TABLE weather' - --to csv || echo "exit $?"
cairn convert sqlite:none.db - --to csv || echo "exit $?"
ls
