# SPDX-License-Identifier: MIT
cairn compute margin @tennis --planes 'A=5,2,-535;B=7,6,-995.5' --steps
cairn draw margin @tennis --planes 'A=5,2,-535' --means
