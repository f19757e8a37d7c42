# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said draw surface --gaussian 0,0,1,1,0.8
said draw surface --plane 1,1,-2,1 --point 1,0,3
said draw surface
said draw surface --fit linear
said draw surface --plane 1,1,0,1
said draw surface --plane 1,1,1
said draw surface --function 'x / 0'
said draw surface --gaussian 0,0,1,1,0 --point 1,2,3
said draw descent --function 'x^2' --start -2.5 --eta 0.95 --max-iter 6
said draw descent --function 'x^2 + y^2' --start 1,1
said draw descent --function 'x^2 + y^2' --start 1
said draw descent --function 'x^2 + z' --start 1
said draw descent --function 'log(x)' --start -1
said draw descent --eta 0
