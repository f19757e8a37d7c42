# SPDX-License-Identifier: MIT
# What other tools call the options of boosted trees and forests leads to the names here.
for option in --learning-rate --rate --n-estimators --trees --n_estimators --subsample \
    --colsample --reg-lambda --min-child-weight --num-leaves --early-stopping-rounds --depth
do
    cairn fit boost @iris $option 1
done
cairn fit forest @iris --n-estimators 10
cairn fit logistic @iris --learning-rate 0.1
# The same behind a learner's name.
cairn compare boost:learning-rate=0.1 @iris
cairn compare forest:n_estimators=10 @iris
