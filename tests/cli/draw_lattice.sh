# SPDX-License-Identifier: MIT
cairn draw lattice @enjoysport --show complete --colour version-space
cairn draw lattice @enjoysport --show version-space --out sport.svg && grep -c '<rect' sport.svg
cairn draw lattice @dolphins --kinds length=level --language disjunction --show all --unseen all
