# SPDX-License-Identifier: MIT
cairn help impute --format markdown
