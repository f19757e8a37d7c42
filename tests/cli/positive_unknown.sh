# SPDX-License-Identifier: MIT
cairn fit majority @weather --positive maybe
