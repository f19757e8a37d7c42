# SPDX-License-Identifier: MIT
# all modes are told, however many
cairn compute statistics --values 1,1,2,2,3,3,4,4,5,5,6,6,7,7,8,8,9,9,10,10,11,11,12,12,50 | grep mode
cairn compute statistics --values 1,1,2,2,3,3,4,4,5,5,6,6,7,7,8,8,9,9,10,10,11,11,12,12,50 --format json | tr ',' '\n' | grep '"mode.1[0-9]"\|"modes"'
cairn compute statistics --values 1,2,3 | grep mode
