# SPDX-License-Identifier: MIT
cairn fit kmeans @distances-five --clusters 2
