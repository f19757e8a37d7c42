# SPDX-License-Identifier: MIT
cairn draw item-lattice @baskets --support 3
cairn draw item-lattice @baskets --show closed --colour closed --no-counts
cairn draw item-lattice @mushroom --target class
