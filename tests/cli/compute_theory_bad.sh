# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said compute shatter
said compute shatter --points '1,2;3'
said compute shatter --points '1,2;3,4' --class interval
said compute shatter --points '1,2;0,4' --class conjunction
said compute shatter --points '1,2;0,4' --class rectangle --labels 3
said compute shatter --points '1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17' --class threshold
said compute shatter @iris
said compute shatter @weather --class conjunction
said compute vc --class list
said compute vc --class conjunction --variables 6
said compute unify --terms 'P(x'
said compute unify --terms 'P(x) Q(y)'
said compute unify --terms 'P(x)'
said compute unify --terms 'P(,x); P(A)'
said compute horn
said compute horn --theory 'a & b -> c; c -> d & e'
said compute horn --theory 'a -> b' --examples 'a, x'
said compute horn @horn-negatives
said compute horn @horn-negatives --target class --unlisted refuse
said compute horn @weather --target play
said compute horn --variables a,b --answers 'yes; a; maybe'
printf 'a,b,y\n1,0,1\n1,0,0\n' > twice.csv
said compute horn twice.csv --target y
