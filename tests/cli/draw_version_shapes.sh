# SPDX-License-Identifier: MIT
cairn draw version-line @threshold
cairn draw version-boxes @family-car
cairn draw version-discs @disc-points --centre 9,10 --out discs.svg && grep -c '<svg' discs.svg
