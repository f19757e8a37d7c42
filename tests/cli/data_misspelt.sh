# SPDX-License-Identifier: MIT
cairn describe @irsi
