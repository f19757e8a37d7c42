# SPDX-License-Identifier: MIT
cairn help majority
