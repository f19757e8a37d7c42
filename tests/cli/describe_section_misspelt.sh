# SPDX-License-Identifier: MIT
cairn describe @iris --show collumns
