# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said draw curves --of logistic --vary gamma=1,4
said draw curves --function 'a * x^2' --vary a=1,2 --low -1 --high 1
said draw curves --of activations --kernel rbf
said draw curves --of kernels --kernel nothing
