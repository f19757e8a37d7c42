# SPDX-License-Identifier: MIT
cairn fit majority @iris --save no/such/m.cairn --quiet
