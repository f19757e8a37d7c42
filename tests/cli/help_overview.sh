# SPDX-License-Identifier: MIT
cairn
