# SPDX-License-Identifier: MIT
cairn fit majority no-such.csv --with impute:stratgy=mean
