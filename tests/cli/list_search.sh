# SPDX-License-Identifier: MIT
cairn list variance | head -n 6
cairn list indicator | head -n 6
