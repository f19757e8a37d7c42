# SPDX-License-Identifier: MIT
cairn fit majority
