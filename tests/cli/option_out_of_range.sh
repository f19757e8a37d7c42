# SPDX-License-Identifier: MIT
cairn describe @weather --rows -1
