# SPDX-License-Identifier: MIT
cairn describe --full @iris
