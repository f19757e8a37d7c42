# SPDX-License-Identifier: MIT
# one exemplar for each class: means, a file in the units of the data, medoids of mixed columns
cairn fit --full nearest-exemplar @iris --target species --steps | grep -A 12 -E 'Step 2|^exemplars'
printf 'petal_width,species,petal_length,sepal_length,sepal_width\n0.2,setosa,1.5,5,3.4\n1.3,versicolor,4.3,5.9,2.8\n2,virginica,5.5,6.5,3\n1.8,virginica,5,6,3\n' >e.csv
cairn fit --full nearest-exemplar @iris --target species --exemplar file --exemplars e.csv --save m.cairn | grep -A 8 -E '^(exemplars|share)'
cairn predict m.cairn @iris --output label,distance,next,margin,scores | sed -n '1,2p;52p;102p'
cairn fit --full nearest-exemplar @weather --target play --exemplar medoid --distance gower | grep -A 6 '^exemplars'
printf 'word,kind\nkitten,c\nmitten,c\nsitting,d\nhitting,d\nsmitten,c\n' >w.csv
cairn fit --full nearest-exemplar w.csv --target kind --kinds word=text --exemplar medoid --distance edit --save w.cairn | grep -A 6 '^exemplars'
printf 'word\nbitten\nfitting\n' | cairn predict w.cairn - --output label,distance
cairn export m.cairn --to json | head -3
cairn fit --full nearest-exemplar @iris --target species --exemplar file --exemplars missing.csv || echo $?
printf 'petal_width,species\n0.2,setosa\n' >short.csv
cairn fit --full nearest-exemplar @iris --target species --exemplar file --exemplars short.csv || echo $?
printf 'petal_width,species,petal_length,sepal_length,sepal_width\n0.2,rosa,1.5,5,3.4\n' >rosa.csv
cairn fit --full nearest-exemplar @iris --target species --exemplar file --exemplars rosa.csv || echo $?
cairn fit --full nearest-exemplar @iris --target species --exemplars e.csv || echo $?
