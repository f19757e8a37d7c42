# SPDX-License-Identifier: MIT
# found before the data is looked for
cairn fit majority no-such-file.csv --tagret play
