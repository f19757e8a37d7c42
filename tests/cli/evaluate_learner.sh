# SPDX-License-Identifier: MIT
cairn evaluate --full majority @iris --by cv:3
