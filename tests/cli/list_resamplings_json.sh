# SPDX-License-Identifier: MIT
cairn list resamplings --format json
