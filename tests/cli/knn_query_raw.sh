# SPDX-License-Identifier: MIT
# the values of --query are those of the data: they go through the transforms like the training rows
cairn fit knn @iris --k 3 --with standardise --curve no --query "5.9,3.2,4.8,1.8" --format json |
    grep -E '"query1\.(rank1\.row|distance\.71|class)"'
cairn fit knn @weather --k 3 --query "sunny,hot,high,weak;rain,?,normal,strong" --format json |
    grep -E '"query[12]\.(rank1\.row|class)"'
cairn fit knn @weather --k 3 --query "sunny,hot,high"; echo $?
cairn fit knn @weather --k 3 --query "sunny,hot,high,wild"; echo $?
