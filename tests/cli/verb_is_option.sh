# SPDX-License-Identifier: MIT
cairn --format json fit
