# SPDX-License-Identifier: MIT
cairn fit --full tree @weather --steps
