# SPDX-License-Identifier: MIT
cairn help majorty
