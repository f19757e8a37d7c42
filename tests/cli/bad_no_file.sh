# SPDX-License-Identifier: MIT
cairn fit majority no-such-file.csv --target y
