# SPDX-License-Identifier: MIT
cairn draw lattice @enjoysport --show complete --colour version-space
cairn draw lattice @enjoysport --show version-space --out sport.svg && grep -c '<rect' sport.svg
cairn draw lattice @dolphins --out dolphins.svg && grep -c '>yes, few)<\|>few)<' dolphins.svg
cairn draw lattice @weather --out weather.svg && grep -o '<svg[^>]* width="[0-9]*"' weather.svg
cairn draw lattice @dolphins --kinds length=level --language disjunction --show all --unseen all
