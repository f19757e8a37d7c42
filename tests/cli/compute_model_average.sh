# SPDX-License-Identifier: MIT
cairn fit bayes @iris --save bayes.cairn --quiet
cairn fit tree:max-depth=1 @iris --save stump.cairn --quiet
cairn fit logistic @iris --save logistic.cairn --quiet
cairn compute model-average bayes.cairn logistic.cairn @iris --steps
cairn compute model-average bayes.cairn stump.cairn logistic.cairn @iris --by prior --prior 0.2,0.3,0.5 --out averaged.csv
head -3 averaged.csv
cairn compute model-average bayes.cairn logistic.cairn @iris --lengths 20,30
cairn compute model-average bayes.cairn @iris
cairn compute model-average bayes.cairn logistic.cairn @iris --prior 0.2,0.3
cairn compute model-average bayes.cairn logistic.cairn @iris --prior 1
cairn fit linear @five-points --save line.cairn --quiet
cairn fit linear @five-points --with basis:degree=2 --save curve.cairn --quiet
cairn fit majority @five-points --save mean.cairn --quiet
cairn compute model-average line.cairn curve.cairn mean.cairn @five-points --steps --out averaged.csv
cat averaged.csv
cairn compute model-average line.cairn bayes.cairn @five-points
printf 'actual,predicted\n1,1\n2.5,2.5\n4,4\n' > exact.csv
printf 'actual,predicted\n1,1.5\n2.5,2\n4,4\n' > rough.csv
printf 'actual,predicted\n1,2\n2.5,2\n' > short.csv
cairn compute model-average rough.csv exact.csv --by prior
cairn compute model-average rough.csv exact.csv
cairn compute model-average rough.csv short.csv
printf 'sepal_length,sepal_width,petal_length,petal_width\n5.1,3.5,1.4,0.2\n6.1,2.8,4.9,1.7\n' > new.csv
printf 'x\n1\n5\n' > numbers.csv
cairn compute model-average bayes.cairn logistic.cairn new.csv --by prior --prior 0.75,0.25 --out averaged.csv
cat averaged.csv
cairn compute model-average line.cairn curve.cairn numbers.csv --by prior --out averaged.csv
cat averaged.csv
cairn compute model-average bayes.cairn logistic.cairn new.csv

# files of predictions without the truth; rows keep their names
printf 'id,p(a),p(b)\nr1,0.2,0.8\nr2,0.6,0.4\n' > one.csv
printf 'id,p(a),p(b)\nr1,0.4,0.6\nr2,0.3,0.7\n' > two.csv
cairn compute model-average one.csv two.csv --id id --by prior --prior 0.25,0.75 --out averaged.csv
cat averaged.csv
printf 'id,price\nr1,2\nr2,6\n' > one.csv
printf 'id,predicted\nr1,4\nr2,3\n' > two.csv
cairn compute model-average one.csv two.csv --id id --by prior
cairn compute model-average one.csv two.csv --id id
printf 'id,sepal_length,sepal_width,petal_length,petal_width\na,5.1,3.5,1.4,0.2\nb,6.1,2.8,4.9,1.7\n' > new.csv
cairn compute model-average bayes.cairn logistic.cairn new.csv --id id --by prior --out averaged.csv > /dev/null
cat averaged.csv
printf 'a,b\n1,2\n' > three.csv
cairn compute model-average three.csv three.csv
true
