# SPDX-License-Identifier: MIT
# what knn cannot do is said with what can be done
cairn fit knn @iris --k 151; echo $?
cairn fit knn no-such-file.csv --distance euclidian; echo $?
cairn fit knn no-such-file.csv --distance minkowski:p=-1; echo $?
cairn fit knn @iris --distance cosine --method kd; echo $?
cairn fit knn @iris --local line; echo $?
cairn fit knn @iris --distance edit; echo $?
cairn fit knn @neighbours --k 3 --query 1 --steps; echo $?
printf 'a,b,y\n1,2,x\n2,4,y\n3,6,x\n4,8,y\n' >t.csv
cairn fit knn t.csv --target y --k 1 --distance mahalanobis; echo $?
printf 'a,b,y\n1,2,x\n2e200,4,y\n3,6,x\n4,8,y\n' >large.csv
cairn fit knn large.csv --target y --k 1 --scale none; echo $?
cairn fit knn @iris --distance minkowski:p=0.002; echo $?
printf 'a,b,c,y\n0,1,2,u\n1,0,3,v\n2,3,0,u\n' >d.csv
printf 'a,b,c\n1,-2,3\n' >negative.csv
cairn fit knn d.csv --as distances --target y --k 1 --save d.cairn --quiet >/dev/null
cairn predict d.cairn negative.csv; echo $?
