# SPDX-License-Identifier: MIT
cairn fit bayes @weather --reject 0.3 --save m.cairn | grep -E 'cost of no answer'
# rejected when the probability of the answer is below 0.7
cairn predict m.cairn @weather --output label,scores | awk -F, 'NR > 1 { most = $3 > $4 ? $3 : $4; print $1, $2 == "" ? "rejected" : $2, (most < 0.7) == ($2 == "") ? "as it must be" : "wrong" }'
cairn evaluate m.cairn @weather --format json | grep -E '^    "(accuracy|accuracy.answered|coverage|evaluate.unanswered)"'
cairn evaluate tree @weather --reject -1 || echo "exit $?"
cairn evaluate m.cairn @weather --reject 0.3 || echo "exit $?"
