# SPDX-License-Identifier: MIT
cairn convert @iris many.csv --with basis:rbf,count=30 --memory 20M
