# SPDX-License-Identifier: MIT
cairn compute friedman --averages 2.7,1.3 --n 10
