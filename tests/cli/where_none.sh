# SPDX-License-Identifier: MIT
cairn evaluate tree @iris --where 'species = "setsoa"'
