# SPDX-License-Identifier: MIT
cairn compute nested-models @used-cars --model 'price ~ age' --model 'price ~ distance' 2>&1
cairn compute nested-models @used-cars --model 'price ~ agee' --model 'price ~ distance' 2>&1
cairn compute nested-models @used-cars --model 'price ~ age' --model 'price ~ age + weight' --family poisson --link logit 2>&1
cairn compute influence @used-cars --formula 'price ~ factor(distance)' 2>&1
cairn compute influence @used-cars --formula 'price ~ (age' 2>&1
