# SPDX-License-Identifier: MIT
cairn evaluate kmeans @iris --clusters 3
