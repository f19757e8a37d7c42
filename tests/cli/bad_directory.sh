# SPDX-License-Identifier: MIT
mkdir d
cairn fit majority d --target y
