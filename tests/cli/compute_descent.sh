# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said compute descent --function 'x^2 + 4*y^2' --start 2,1 --max-iter 3 --steps
said compute descent --start=-2.5 --eta 1.03
said compute descent --start=-2.5 --eta 5 --schedule adaptive --max-iter 3 --steps
said compute descent --function 'x^4 - 3*x^2 + x' --start 2 --start=-0.1 --eta 0.02,0.4 --max-iter 100
said compute descent --function 'path^2 + value^2 + step^2' --start 1,2,3 --max-iter 5 --steps
cairn compute descent --function 'path^2 + f^2' --start 1,2 --max-iter 1 --steps --format json | grep -E '"(best|path1.step1)[.]'
said compute descent --eta 1e300 --start 3
said compute descent --function '-x^2' --start 1 --max-iter 3
said compute descent --function 'w10 + w2^2' --start 1
said compute descent --function 3
said compute descent --function 'x +'
said compute descent --function 'log(x)' --start=-1
said compute descent --slope x
said compute descent --slope '2*x' --slope 1
said compute descent --eta 0
said compute descent --start inf
said compute descent --low 3 --high 1
said compute descent --grow 2
cat > rows.csv <<'R'
x,y,w,g
1,2,1,a
2,4,2,b
3,?,1,a
R
said compute descent rows.csv --target y --function 'a + b*x' --eta 0.05 --update row --max-iter 4 --steps
said compute descent rows.csv --target y --function 'a + b*x' --weight w --eta 0.05 --cost mse --max-iter 2 --out path.csv
cat path.csv
said compute descent rows.csv --function 'a + b*x'
said compute descent rows.csv --target g --function 'a + b*x'
said compute descent rows.csv --target y --function 'a + b*g'
said compute descent rows.csv --target y --function 'x'
said compute descent rows.csv --target y --function 'a*x' --update row --cost rms
said compute descent rows.csv --target y --function 'a*x' --slope x
printf 'x,y\n1e200,1e200\n1,1\n' > huge.csv
said compute descent huge.csv --target y --function 'a*x'
printf 'x1,x2,t,w\n0,0,0,1\n0,1,1,3\n1,0,1,1\n' > or.csv
said compute descent or.csv --target t --function 'sigmoid(w0 + w1*x1 + w2*x2)' --start 0.1,0.2,-0.1 --eta 0.5 --update row --max-iter 3 --steps
said compute descent or.csv --target t --weight w --function 'sigmoid(a)*sigmoid(b*x2)' --cost sse --update row --max-iter 2 --steps
