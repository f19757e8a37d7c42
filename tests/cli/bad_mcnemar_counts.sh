# SPDX-License-Identifier: MIT
cairn compute mcnemar --first-only 1.5 --second-only 2
