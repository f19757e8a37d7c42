# SPDX-License-Identifier: MIT
# probabilities that are typed add up to 1, everywhere; if they do not, it is said what they add up to
exec 2>&1
cairn fit gaussian @iris --prior 0.5,0.3,0.3
cairn fit bayes @weather --prior 0.5,0.6
cairn fit bayes @weather --prior 0,0
cairn fit bayes @weather --prior=-0.5,1.5
cairn fit discriminant @iris --prior 1,1,1
cairn fit mixture @mixture --start-means '2.5;6.5' --start-weights 0.5,0.6
cairn compute naive-bayes --theta '0.4,0.21;0.12,0.13' --x 0,0 --prior 0.4,0.7
cairn compute posterior --table '0.31,0.69;0.65,0.3'
cairn compute posterior --given likelihood --table '0.5,0.8;0.5,0.2' --prior 2,1
cairn compute smoothing --counts 1,2 --prior 0.5,0.6
cairn compute brier --vector 0.5,0.6 --actual 1
cairn compute generate clouds --means '0,0;2,0' --prior 1,1
cairn draw contours --gaussian 0,0,1,1,0.8 --gaussian 2,2,1,0.5,0 --prior 0.7,0.7
# thirds as they are written
cairn compute naive-bayes --theta '0.4;0.12;0.3' --x 1 --prior 0.333333,0.333333,0.333333 | head -n 3
