# SPDX-License-Identifier: MIT
cairn predict --help
