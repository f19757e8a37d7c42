# SPDX-License-Identifier: MIT
cairn --version
