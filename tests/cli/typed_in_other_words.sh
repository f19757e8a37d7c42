# SPDX-License-Identifier: MIT
# What students type for an input, a point or a chain is taken, and said once; counts in the place of
# a file are told the option.
cairn compute neuron --weights 1,2,3,4 --bias 0 --x 4,8,5,6 --activation linear | tail -3
cairn compute activation --function sigmoid --x 0.5 | tail -2
cairn compute chain --matrix '0.3,0.7;0.2,0.8' --states Rain,Dry --initial 0.4,0.6 --sequence Rain,Rain,Dry,Dry | tail -3
cairn compute split '[6+,2-][3+,3-]'
cairn compute impurity '[2+,3-]'
cairn compute split --table '[6+,2-][3+,3-]' | tail -4
true
