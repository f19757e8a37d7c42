# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
printf 'metres,grams,class\n1,1000,a\n1.1,3000,a\n5,1010,b\n5.2,2990,b\n,2000,b\n' >t.csv
said compute rescaling t.csv --target class --k 2
said compute rescaling t.csv --target class --with scale:range --distance manhattan --format json | grep 'changed\|agreement\|largest'
said compute rescaling @weather
said compute rescaling @iris --with inflate:of-class=setosa
said compute rescaling
