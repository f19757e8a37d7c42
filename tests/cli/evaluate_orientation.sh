# SPDX-License-Identifier: MIT
cairn evaluate --full majority @iris --rows predicted --undefined zero
