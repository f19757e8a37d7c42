# SPDX-License-Identifier: MIT
cairn fit majority --help | head -n 8
