# SPDX-License-Identifier: MIT
# the commands as they are printed run in a shell, with the files that --files writes
for id in knn-six-neighbours conjunctions-as-item-sets shortest-rule-weather naive-bayes-smoothing horn-theory-by-queries; do
    mkdir $id && cd $id || exit 1
    cairn lesson $id --files . | head -3
    cairn lesson $id | grep '^cairn [a-z]* ' | grep -v '^cairn lesson' >commands.sh
    sh -e ./commands.sh >/dev/null && echo "$(wc -l <commands.sh) commands of $id"
    cd ..
done
