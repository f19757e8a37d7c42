# SPDX-License-Identifier: MIT
# Options inside a spec are told as they are written there.
for with in bag:min-texts=3 impute:strategy=mean impute:metod=mean impute:method=foo bins:bins=0 bins:bins=2,bins=3; do
  cairn fit bayes @weather --with "$with" || echo "exit $?"
done
cairn fit tree:max-dept=3 @weather || echo "exit $?"
cairn evaluate tree @weather --by cv:fold=3 || echo "exit $?"
