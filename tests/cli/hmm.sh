# SPDX-License-Identifier: MIT
# Hidden Markov models from tables: rows that are steps, rows that are sequences, classes, known states, a start by hand, and what is refused.
cairn compute hmm-sample --length 200 --given 'states calm wild; from calm 0.95 0.05; from wild 0.1 0.9; mean calm 0 0; covariance calm 1 1; mean wild 4 0; covariance wild 4 1' --out days.csv > /dev/null
cairn fit --full hmm days.csv --features x1,x2 --states 2 --starts 2 --max-iter 5 --save days.cairn
cairn predict days.cairn days.csv --output label,scores | head -n 4
printf 'word,heard\nyes,a b a b b a\nyes,a b b a b\nyes,b a b a\nno,c c a c\nno,c a c c c\nno,\n' > words.csv
cairn fit --full hmm words.csv --features heard --kinds heard=sequence --max-iter 4 --starts 1 --steps --save heard.cairn
printf 'heard\na b z b\nc c\n' > new.csv
cairn predict heard.cairn new.csv --output all
cairn export heard.cairn --to text > start.txt
cat start.txt
cairn fit --full hmm words.csv --features heard --kinds heard=sequence --given start.txt --max-iter 0 | grep -A 3 'Start and'
cairn fit --full hmm-classifier words.csv --target word --kinds heard=sequence --max-iter 3 --save words.cairn | grep -v seed
cairn predict words.cairn new.csv --explain
printf 'words,tags\nthe dog sees the cat,D N V D N\na cat runs,D N V\ndogs run,N V\nruns,V\n' > tagged.csv
cairn fit --full hmm-classifier tagged.csv --target tags --kinds words=sequence,tags=sequence --steps --save tags.cairn
printf 'words\nthe cat runs\na bird sees dogs\nruns the runs\n' > said.csv
cairn predict tags.cairn said.csv
printf 'a,b\nx,y\ny,x\n' > levels.csv
cairn fit --full hmm levels.csv
cairn fit --full hmm levels.csv --features a | grep steps
printf 'x\n1\n2\n1e200\n-1e200\n' > huge.csv
cairn fit --full hmm huge.csv
printf 'states a b\nsymbols a b\nfrom a 1 0\nfrom b 0 1\nemit a 1 0\nemit b 0 1\n' > other.txt
cairn fit --full hmm words.csv --features heard --kinds heard=sequence --given other.txt
cairn fit --full hmm days.csv --features x1,x2 --given other.txt
cairn fit --full hmm words.csv --features heard --kinds heard=sequence --states 0
printf 'seen\na\na\n' > less.csv
cairn fit --full hmm less.csv --given other.txt --max-iter 0 --save less.cairn --quiet
cairn predict less.cairn less.csv
printf 'who,t,x,y,state,kind\n' > long.csv
printf 'w%d,%d,%d,%d,%s,%s\n' 1 1 0 1 a u 1 2 1 0 a u 1 3 5 4 b u 1 4 6 5 b u 2 1 1 1 a v 2 2 6 4 b v 2 3 5 6 b v 3 1 0 0 a u 3 2 1 -1 a u 3 3 7 5 b u 4 1 6 4 b v 4 2 5 5 b v 4 3 0 1 a v >> long.csv
cairn fit --full hmm long.csv --sequence who --order t --features x,y --starts 2 --max-iter 3 --save long.cairn | tail -n +12
cairn predict long.cairn long.csv --sequence who --order t --output label,path
cairn fit --full hmm-classifier long.csv --sequence who --order t --target kind --ignore state --max-iter 2 --covariance diagonal | tail -n 12
cairn fit --full hmm-classifier long.csv --sequence who --order t --target state --ignore kind --steps --save states.cairn | tail -n +14
cairn predict states.cairn long.csv --sequence who --order t 2> /dev/null
for model in days heard words tags long states; do cairn compute sample $model.cairn --rows 2 --out drawn.csv --quiet; cat drawn.csv | cut -c1-60; done
cairn fit --full hmm-classifier @weather --max-iter 2 --save weather.cairn --quiet
cairn compute sample weather.cairn --rows 3 --out drawn.csv --quiet
cat drawn.csv
printf 'x,y\n1,2\n2,\n3,3\n10,9\n,10\n11,12\n' > gaps.csv
cairn fit --full hmm gaps.csv --save gaps.cairn | sed -n '/^Start/,/^log/p'
cairn predict gaps.cairn gaps.csv
printf 'x,y\n5,5\n5,5\n5,5\n' > same.csv
cairn fit --full hmm same.csv --states 1 | sed -n '/^Normal/,/^log/p'
printf 'x\n5\n' > one.csv
cairn fit --full hmm one.csv --states 5
cairn describe --full long.cairn | sed -n '/^Normal/,/^$/p'
cairn compute hmm days.cairn --of '0,0 4,?' | tail -n 4
cairn compute hmm heard.cairn --of 'a b ?' | tail -n 4
cairn compute hmm words.cairn --of 'a b'
cairn draw hmm days.cairn --out days.svg --quiet
grep -o '>x[12]<' days.svg
cairn draw trellis heard.cairn --of 'a b' --out heard.svg --quiet
cairn draw hmm words.cairn --out words.svg
cairn draw trellis words.cairn --of 'a b' --out words.svg
cairn compute hmm days.cairn --given 'states a; symbols x; from a 1; emit a 1' --of 'x'
cairn fit --full bayes @weather --save bayes.cairn --quiet
cairn compute hmm bayes.cairn --of 'x'
cairn fit --full hmm days.csv --features x1 --starts 3 --max-iter 4 --steps | sed -n '/The starts/,/marks/p'
printf 'states a b\nsymbols sunny overcast rain hot mild cool high normal\nfrom a 0.6 0.4\nfrom b 0.4 0.6\nemit a 0.2 0.1 0.1 0.1 0.1 0.1 0.1 0.2\nemit b 0.1 0.1 0.1 0.1 0.1 0.1 0.2 0.2\n' > first.txt
cairn fit --full hmm-classifier @weather --features outlook,temperature,humidity --given first.txt --max-iter 1 --steps | sed -n '/^Steps/,/class yes/p'
printf 'x,y\n1,2\n2,\n3,3\n10,9\n,10\n11,12\n' > gaps.csv
cairn fit --full hmm gaps.csv --steps --starts 3 --seed 3 | sed -n '/^Steps/,/iteration 1/p'
seq -s , 5000 > wide.csv; seq -s , 2 5001 >> wide.csv; seq -s , 3 5002 >> wide.csv
cairn fit --full hmm wide.csv
seq -s , 60 > wide.csv; seq -s , 2 61 >> wide.csv; seq -s , 3 62 >> wide.csv
cairn fit hmm wide.csv --max-iter 0 --starts 1 > /dev/null
