# SPDX-License-Identifier: MIT
# only what other learners do not change
cairn list learners | grep -E '^[A-Z].*: '
cairn list learners --full | grep -E '^(Classes|Numbers|Groups|Made)|^(tree|kmeans|vote) '
cairn list learners --format json | grep -E '^    "learners\.(tree|kmeans|majority)[."]'
