# SPDX-License-Identifier: MIT
cairn compute statistics --values 3,5,5,8,13,nan --weights 1,1,2,1,1,1 --probabilities 0.1,0.9 --at 8
cairn compute statistics --values 1,2,3 --weights 1,2
