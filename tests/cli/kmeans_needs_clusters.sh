# SPDX-License-Identifier: MIT
cairn fit kmeans no-such.csv
