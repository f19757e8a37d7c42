# SPDX-License-Identifier: MIT
# what is wrong with the data is told by name: classes, columns, values
printf 'x,z,f,class\n1,2,a,A\n1,3,b,A\n1,1,a,A\n4,6,b,B\n5,2,a,B\n6,4,b,B\n1,5,a,B\n2.5,3,c,C\n' >t.csv
cairn fit --full bayes t.csv --target class | sed -n '/^Note: (Nearly)/,/^$/p'
printf 'x,z,class\n1,2,A\n2,3,A\n3,1,A\n4,6,B\n5,2,B\n6,4,B\n7,1,B\n1.5,5,A\n' >s.csv
cairn fit --full logistic s.csv --target class | sed -n '/^Note: The classes/,/^$/p'
cairn fit --full logistic s.csv --target class --if-separable fail; echo $?
cairn fit --full logistic s.csv --target class --solver ascent | sed -n '/^Note: Gradient/,/^$/p'
cairn fit --full bayes t.csv --target class --save m.cairn >r.txt
printf 'x,z,f\n3,2,an-unusually-long-level-that-nobody-has-ever-seen-in-any-of-the-training-rows\n1,1,d\n' >n.csv
cairn predict m.cairn n.csv
printf 'x,y,c,w\n1e300,1,A,0\n-1e300,2,B,0\n1e308,2,A,0\n-1e308,1,B,0\n5,3,A,0\n7,1,B,0\n' >h.csv
cairn fit --full bayes h.csv --target c --features x,y; echo $?
cairn fit --full bayes t.csv --target class --with 'formula:k=1' | sed -n '/^Note: Constant/,/^$/p'
cairn fit --full forest h.csv --target c --weight w; echo $?
cairn fit --full logistic h.csv --target c --weight w; echo $?
cairn fit --full bayes t.csv --target class --density kernel --features x,z | sed -n '/^Note: /,/^$/p'
cairn fit --full bayes t.csv --target class --density x=kernel --features x --steps | sed -n '/^Step 2/,/^$/p'
cairn fit --full bayes @iris --features petal_length --save i.cairn >r.txt
printf 'petal_length\n1e300\n' | cairn predict i.cairn -
