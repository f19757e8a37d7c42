# SPDX-License-Identifier: MIT
cairn lesson des-majority-baseline
cairn lesson pis-playtennis-id3 --check
