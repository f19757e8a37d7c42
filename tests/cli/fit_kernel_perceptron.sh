# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
cairn fit --full kernel-perceptron @xor --target class --kernel poly --degree 3 --offset 1 --with 'formula:x=2*x-1,y=2*y-1' --scale none --steps --save m.cairn
cairn predict m.cairn @xor --output class,scores
said fit --full kernel-perceptron @xor --target class --kernel linear --epochs 3
said fit --full kernel-perceptron @xor --target class --order given
said fit --full kernel-perceptron @xor --target class --order given --visit 9
