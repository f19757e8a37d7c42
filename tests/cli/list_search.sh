# SPDX-License-Identifier: MIT
cairn list variance
cairn list indicator
