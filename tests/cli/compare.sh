# SPDX-License-Identifier: MIT
cairn compare majority tree:max-depth=2 --on @weather @iris --by cv:5
