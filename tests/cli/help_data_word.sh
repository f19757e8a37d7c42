# SPDX-License-Identifier: MIT
cairn help weather
cairn help @iris
