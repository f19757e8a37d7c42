# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said compute neuron --inputs 4,8,5,6 --weights 1,2,3,4 --activation 'linear(m=2)' --steps
said compute neuron --inputs 'A=0,0;B=1,1' --weights 0.5,0.5 --threshold 0.8 --activation threshold --activation sigmoid
said compute neuron --inputs 0.1,0.2,-0.3 --weights 1,1,1 --activation threshold --at-zero reject --steps
said compute neuron --inputs 0.1,0.2,-0.3 --weights 1,1,1 --at-zero 1
said compute neuron @and --target t --weights 0.5,0.5 --bias=-0.8
said compute neuron --inputs 1e308,1e308 --weights 10,-10 --activation tanh
said compute neuron --inputs 1,2 --weights 1
said compute neuron --weights 1
said compute neuron @and --target t --inputs 1,2 --weights 1,2
said compute neuron --inputs 1 --weights 1 --bias 1 --threshold 1
said compute neuron --inputs 1 --weights inf
said compute neuron --inputs 1,x --weights 1,2
said compute neuron --inputs 1 --weights 1 --activation sigmod
said compute neuron --inputs 1 --weights 1 --activation softmax
said compute neuron --inputs 1 --weights 1 --activation 'gaussian(sigma=0)'
said compute neuron --inputs 1 --weights 1 --activation 'linear(slope=2)'
said compute activation --function sigmoid --function 'linear(2, 1)' --function 'linear(m=3)' --at=-1,0,1 --steps
said compute activation --function sign --at 0 --at-zero 1
said compute activation --function piecewise --at=-2,2 --saturate=no
said compute activation --function sigmoid --at 1000,-1000
said draw activation --function tanh --low 1 --high 1
