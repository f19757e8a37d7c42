# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
printf 'a,b\n1,2\n3,-4\n' > signed.csv
said compute decompose signed.csv --method nonnegative --parts 1
said compute decompose signed.csv --parts 3
said compute decompose signed.csv --method boolean
said compute decompose --left '1,0;0,1' --right '1,1'
said compute decompose --left '1;1' --weights 1,2 --right '1,1'
said compute decompose --left '1;1'
said compute decompose @titanic
said compute decompose
