# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
cat > net.txt <<'N'
h1 = sigmoid(0.35 + 0.15*i1 + 0.2*i2)
h2 = sigmoid(0.35 + 0.25*i1 + 0.3*i2)
o1 = sigmoid(0.6 + 0.4*h1 + 0.45*h2)
o2 = sigmoid(0.6 + 0.5*h1 + 0.55*h2)
N
said compute forward --network net.txt --inputs 0.05,0.1 --targets 0.01,0.99 --steps
said compute forward --network net.txt --inputs '0.05,0.1;1,2' --targets '0.01,0.99;2,0.5' --steps
said compute forward @backprop --target t1,t2 --network net.txt --out nodes.csv
cat nodes.csv
said compute forward --network 'a=softmax(1+x); b=softmax(-x)' --inputs 1 --steps
said compute forward --network 'o = threshold(x - y); p = linear(o)' --inputs '1,1;2,1' --at-zero reject
said compute forward --network net.txt
said compute forward --network net.txt --inputs 1
said compute forward --network net.txt --inputs 1,2 --targets 1
said compute forward @iris --network net.txt
said compute forward --network missing.txt --inputs 1
said compute forward --network 'o = 3' --inputs 1
said compute forward --network 'o = sigmod(x)' --inputs 1
said compute forward --network 'o = a*b' --inputs 1,2
said compute forward --network 'o = 2*a*b' --inputs 1,2
said compute forward --network '' --inputs 1
said compute forward --network 'o = 1e300*x' --inputs 1e300
said compute forward --inputs 1
printf 'i1,i2\n1,2\n?,3\n' > gap.csv
said compute forward gap.csv --network net.txt
said compute boolean-network --weights 'AND=-0.8,0.5,0.5;OR=-0.3,0.5,0.5' --steps
said compute boolean-network --weights 'AND=-0.8,0.5,0.5;OR=-0.3,0.5,0.5' --truth 01
said compute boolean-network --network 'OR = threshold(0.3+0.5*A+0.5*B); NAND = threshold(0.8-0.5*A-0.5*B); XOR = threshold(-0.8+0.5*OR+0.5*NAND)'
said compute boolean-network --function xor,majority,true --inputs 3 --steps
said compute boolean-network --table 'XNOR=1,0,0,1;x=0,0,1,1' --truth 01
said compute boolean-network --all
said compute boolean-network --all --inputs 1
said compute boolean-network --weights 0,1,1 --at-zero reject
said compute boolean-network
said compute boolean-network --inputs 3
said compute boolean-network --table 1,0,1
said compute boolean-network --table 1,0,1,2
said compute boolean-network --function foo
said compute boolean-network --weights 1
said compute boolean-network --all --inputs 4
said compute boolean-network --network 'o = 2'
