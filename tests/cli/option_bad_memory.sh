# SPDX-License-Identifier: MIT
cairn describe @weather --memory lots
