# SPDX-License-Identifier: MIT
# tune without --over: the space that the learner declares, without what is set.
cairn tune tree @weather --full --quiet | head -12
cairn tune svm @iris --kernel linear --outer none --full --quiet | head -14
cairn tune kmeans @kmeans-twelve --full --quiet | head -8
cairn tune majority @iris
cairn tune knn @iris --k 3 --weights equal
exit 0
