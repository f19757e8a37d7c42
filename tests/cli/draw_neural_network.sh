# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
cat > net.txt <<'N'
h1 = sigmoid(0.35 + 0.15*i1 + 0.2*i2)
h2 = sigmoid(0.35 + 0.25*i1 + 0.3*i2)
o1 = sigmoid(0.6 + 0.4*h1 + 0.45*h2)
N
said draw neural-network --network net.txt --inputs 0.05,0.1 --targets 0.01
said draw neural-network --layers 2,2,1 --labels notation --biases nodes
said draw neural-network --layers 2,30,1
for sizes in 2,2,1 40,12,8,3; do
    cairn draw neural-network --layers $sizes --labels notation --out sizes.svg
    grep -c '>W' sizes.svg
done
cairn fit network @iris --hidden 2 --epochs 2 --save iris.cairn > /dev/null
cairn draw neural-network iris.cairn --out iris.svg
grep -c petal_width iris.svg
grep -c '>versicolor<' iris.svg
cairn fit network @exact-line --target y --hidden 2 --epochs 2 --save line.cairn > /dev/null
cairn draw neural-network line.cairn
said compute forward iris.cairn --network net.txt --inputs 1,2
said draw neural-network iris.cairn --inputs 1,2,3,4
cairn fit tree @iris --save tree.cairn > /dev/null
said draw neural-network tree.cairn
said draw neural-network
said draw neural-network --layers 4
said draw neural-network --layers 2,0,1
said draw neural-network --layers 2,1.5
said draw neural-network --layers 2,1 --inputs 1,2
said draw neural-network --layers 2,1 --targets a,b
said draw neural-network --layers 1,1,1,1,1,1,1,1,1,1,1,1,1,1
said draw neural-network --network net.txt --inputs 1
said draw neuron --weights 0.5,0.5 --bias=-0.8 --inputs 1,1
said draw neuron --weights 0.5,0.5 --form simplified --activation sigmoid
said draw neuron --weights 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1
said draw boolean-network --function xor --weights 'AND=-0.8,0.5,0.5'
said draw boolean-network --weights 1,2
said draw boolean-network --function and --inputs 3
said draw boolean-network --all
said draw neural-network --layers 2,1 --at-zero 1
