# SPDX-License-Identifier: MIT
cairn compute impurity --counts 9,5 --steps
cairn compute impurity --counts 2/3,1/3 --log e --steps | grep -E 'ln|nats'
cairn compute impurity --counts 2/0,1
