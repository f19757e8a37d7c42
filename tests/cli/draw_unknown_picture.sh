# SPDX-License-Identifier: MIT
cairn draw scater @iris
