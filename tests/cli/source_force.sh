# SPDX-License-Identifier: MIT
# A table that is there goes with --force only, by convert, predict and whatever else writes tables.
cairn convert @weather 'sqlite:w.db?table=weather' --quiet
cairn convert @iris 'sqlite:w.db?table=weather' || echo "exit $?"
cairn convert @iris 'sqlite:w.db?table=WEATHER' --force
cairn describe 'sqlite:w.db?query=SELECT species, count(*) AS rows FROM weather GROUP BY species'
cairn fit tree @weather --target play --save tree.cairn --quiet
cairn predict tree.cairn @weather --out 'sqlite:w.db?table=answers' --quiet
cairn predict tree.cairn @weather --out 'sqlite:w.db?table=answers' --quiet || echo "exit $?"
cairn predict tree.cairn @weather --output all --out 'sqlite:w.db?table=answers' --force --quiet
cairn convert 'sqlite:w.db?query=SELECT * FROM answers LIMIT 2' - --to csv
cairn split @weather --train 'sqlite:w.db?table=weather' || echo "exit $?"
cairn convert @weather 'duckdb:w.duckdb?table=t' || echo "exit $?"
cairn convert @weather 'sqlite:w.db' || echo "exit $?"
