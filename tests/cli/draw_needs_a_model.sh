# SPDX-License-Identifier: MIT
cairn draw tree @iris
