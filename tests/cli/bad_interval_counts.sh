# SPDX-License-Identifier: MIT
cairn compute interval --errors 12 --n 10
