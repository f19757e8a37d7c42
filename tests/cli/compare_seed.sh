# SPDX-License-Identifier: MIT
# A seed has more digits than a real number.
cairn compare majority one-r --on @iris --seed 900719925474099301 --format json | grep '^    "seed"'
