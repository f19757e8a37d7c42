# SPDX-License-Identifier: MIT
# the commands as they are printed run in a shell, with the files that --files writes
for id in des-knn-6nn fla-a-itemsets-dolphins shortest-rule-weather des-nb-smoothing fla-a-horn; do
    mkdir $id && cd $id || exit 1
    cairn lesson $id --files . | head -3
    cairn lesson $id | grep '^cairn [a-z]* ' | grep -v '^cairn lesson' >commands.sh
    sh -e ./commands.sh >/dev/null && echo "$(wc -l <commands.sh) commands of $id"
    cd ..
done
