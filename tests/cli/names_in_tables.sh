# SPDX-License-Identifier: MIT
# Names of rows are no features of calculators, pictures and transforms; columns that are asked for
# stay what they are. Names of classes stand once.
printf 'who,a,b,y\nAnn,1,u,p\nBob,2,v,n\nCid,3,u,p\nDan,4,v,n\nEve,5,u,n\n' >t.csv
cairn compute split t.csv --target y | grep -E '^(who|a|b) '
cairn compute version-space t.csv --target y --ignore a | grep -E 'possible'
cairn compute statistics t.csv --column a --quiet | grep mean
cairn draw bars t.csv --column who | tail -n 2
cairn convert t.csv - --to csv --with indicators --ignore y
cairn convert t.csv - --to csv --with 'formula:c=a*2' --ignore y,b
cairn compute confusion --tp 40 --fn 10 --fp 5 --tn 45 --classes u,u
cairn compute confusion @confusion-pets --classes u,u,w
cairn compute confusion --tp 0.4 --fn 0.1 --fp 0.05 --tn 0.45 | grep '^accuracy'
cairn compute confusion --tp 40 --fn 10 --fp 5 --tn 0.7 | grep '^accuracy'
cairn compute impurity --counts 0.64,0.36 | grep '^entropy'
