# SPDX-License-Identifier: MIT
# Ten rounds, and ten more from the saved model, are twenty.
cairn fit boost @iris --target species --rounds 10 --save a.cairn --quiet
cairn fit boost @iris --from a.cairn --save b.cairn --quiet
cairn fit boost @iris --target species --rounds 20 --save c.cairn --quiet
cairn predict b.cairn @iris --output scores --out b.csv --quiet
cairn predict c.cairn @iris --output scores --out c.csv --quiet
cmp b.csv c.csv && echo same
