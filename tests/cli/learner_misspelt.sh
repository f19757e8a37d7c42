# SPDX-License-Identifier: MIT
cairn fit majorty no-such-file.csv
