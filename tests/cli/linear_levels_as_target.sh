# SPDX-License-Identifier: MIT
cairn fit linear @iris
