# SPDX-License-Identifier: MIT
cairn help majorty | head -n 6
