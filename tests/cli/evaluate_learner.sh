# SPDX-License-Identifier: MIT
cairn evaluate majority @iris --by cv:3
