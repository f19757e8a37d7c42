# SPDX-License-Identifier: MIT
cairn zzzzzz
