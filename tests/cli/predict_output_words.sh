# SPDX-License-Identifier: MIT
# What lists and help say that a learner gives can be asked for.
cairn fit tree @iris --save m.cairn --quiet
cairn predict m.cairn @iris --output class,probabilities | head -n 2
cairn predict m.cairn @iris --output label,scores | head -n 2
cairn fit linear @used-cars --target price --save n.cairn --quiet
cairn predict n.cairn @used-cars --output number | head -n 2
cairn predict n.cairn @used-cars --output class
exit 0
