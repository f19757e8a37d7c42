# SPDX-License-Identifier: MIT
cairn lesson --full des-majority-baseline
cairn lesson --full pis-playtennis-id3 --check
