# SPDX-License-Identifier: MIT
cairn describe @iris --kinds species=lvel
