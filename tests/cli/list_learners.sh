# SPDX-License-Identifier: MIT
# only what other learners do not change
cairn list learners | grep -E '^Predictive, (un)?supervised$|^name .* gives$' | sed 's/  */ /g'
cairn list learners --format json | grep -E '^    "learners\.(tree|kmeans|majority)[."]'
