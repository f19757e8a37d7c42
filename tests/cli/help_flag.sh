# SPDX-License-Identifier: MIT
cairn --help | head -n 1
cairn -h | head -n 1
