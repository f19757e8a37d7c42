# SPDX-License-Identifier: MIT
cairn describe --full @weather --rows 2
