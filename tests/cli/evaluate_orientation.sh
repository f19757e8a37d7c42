# SPDX-License-Identifier: MIT
cairn evaluate majority @iris --rows predicted --undefined zero
