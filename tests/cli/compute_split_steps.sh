# SPDX-License-Identifier: MIT
cairn compute split @weather --steps --format json | grep '"outlook\.'
