# SPDX-License-Identifier: MIT
# k-medoids: swaps, levels with missing cells, given distances old and new, and what is refused
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
cairn fit --full kmedoids @five-values --clusters 2 --distance manhattan --scale none --method eager --init 1,2 --steps
printf 'size,colour,shape\n1,red,round\n2,red,\n,blue,round\n9,blue,flat\n8,,flat\n' >mixed.csv
cairn fit --full kmedoids mixed.csv --clusters 2 --distance gower --save mixed.cairn | sed -n '/k-medoids/,$p'
printf 'size,colour,shape\n7,green,flat\n,,\n1.5,red,\n' >new.csv
cairn predict mixed.cairn new.csv --output all
printf 'a,b,c,d\n0,1,7,8\n1,0,6,9\n7,6,0,2\n8,9,2,0\n' >pairs.csv
cairn fit --full kmedoids pairs.csv --as distances --clusters 2 --save pairs.cairn --quiet >model.txt
printf 'a,b,c,d\n3,2,5,6\n9,9,1,1\n' >far.csv
cairn predict pairs.cairn far.csv --output all
said export pairs.cairn --to c
printf 'a,b\n0,1\n2,0\n' >lopsided.csv
printf 'a,b\n0,-1\n-1,0\n' >negative.csv
printf 'a,b\n1,1\n1,0\n' >self.csv
printf 'a,b,c\n0,1,2\n1,0,2\n' >wide.csv
for f in lopsided negative self wide; do said fit kmedoids $f.csv --as distances --clusters 1; done
said fit kmedoids pairs.csv --as distances --clusters 2 --distance manhattan
said fit kmedoids pairs.csv --as distances --clusters 5
said fit kmedoids @five-values --clusters 2 --init 1,9
said fit kmedoids @five-values --clusters 2 --init middle
said fit kmedoids @iris --clusters 3 --method sample --init first
cairn compute generate blobs --rows 3000 --features 2 --classes 3 --no-truth --out blobs.csv --quiet
said fit kmedoids blobs.csv --ignore class --clusters 3 --method pam --memory 40M | sed 's/, [0-9.]* MB of/, fewer of/'
cairn fit --full kmedoids blobs.csv --ignore class --clusters 3 --memory 40M 2>&1 | grep -E 'memory|method'
said fit kmedoids blobs.csv --ignore class --clusters 4 --exact
