# SPDX-License-Identifier: MIT
cairn evaluate majority @weather --by cv:99
