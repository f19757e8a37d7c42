# SPDX-License-Identifier: MIT
cairn describe @iris @weather
