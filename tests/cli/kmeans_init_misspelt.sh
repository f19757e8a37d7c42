# SPDX-License-Identifier: MIT
cairn fit kmeans no-such-file.csv --clusters 2 --init plusplsu; echo $?
cairn fit kmeans no-such-file.csv --clusters 2 --init centres.csv; echo $?
