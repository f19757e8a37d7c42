# SPDX-License-Identifier: MIT
cairn lesson --full majority-baseline
cairn lesson --full id3-play-tennis --check
