# SPDX-License-Identifier: MIT
# A name of the field that stands for a learner with settings can be typed in its place.
same() { cairn fit --full "$1" "$3" --quiet >a && cairn fit --full "$2" "$3" --quiet >b && cmp a b && echo "$1 is $2"; }
same lda gaussian:covariance=shared @iris
same qda gaussian:covariance=own @iris
same QDA:prior=uniform gaussian:covariance=own,prior=uniform @iris
same id3 tree:preset=id3 @weather
same c4.5 tree:preset=c4.5 @weather
cairn evaluate --full qda @iris --seed 1 --quiet | grep -m1 accuracy
cairn compare --full lda qda @iris --quiet | grep -E '^ *(lda|qda)'
cairn fit --full qda @iris --covariance shared 2>&1
