# SPDX-License-Identifier: MIT
cairn help convert --format man
