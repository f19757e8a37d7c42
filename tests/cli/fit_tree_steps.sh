# SPDX-License-Identifier: MIT
cairn fit tree @weather --steps
