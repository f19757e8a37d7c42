# SPDX-License-Identifier: MIT
cairn list lerners
