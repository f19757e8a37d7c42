# SPDX-License-Identifier: MIT
cairn draw hypotheses --hypothesis 'x >= 19' --hypothesis 'x >= 20' --hypothesis 'x >= 20 AND x < 30'
