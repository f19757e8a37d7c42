# SPDX-License-Identifier: MIT
# A name of the field that stands for a learner with settings can be typed in its place.
same() { cairn fit --full "$1" "$3" --quiet >a && cairn fit --full "$2" "$3" --quiet >b && cmp a b && echo "$1 is $2"; }
same rda gaussian @iris
same qda gaussian:covariance=own @iris
same QDA:prior=uniform gaussian:covariance=own,prior=uniform @iris
same id3 tree:preset=id3 @weather
same c4.5 tree:preset=c4.5 @weather
cairn evaluate --full qda @iris --seed 1 --quiet | grep -m1 accuracy
cairn compare --full rda qda @iris --quiet | grep -E '^ *gaussian'
# One that two learners are called by is asked back, with both commands.
cairn fit lda:pooling=0.5 @iris 2>&1
cairn fit --full qda @iris --covariance shared 2>&1
