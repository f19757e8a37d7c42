# SPDX-License-Identifier: MIT
cairn list calculators
