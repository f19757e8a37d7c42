# SPDX-License-Identifier: MIT
# Planes of linear classifiers side by side, and what has none.
cairn compute linear-family @fisher-points
cairn compute linear-family @fisher-points --learners 'basic-linear' --steps | head -52
cairn compute linear-family @iris || echo "exit $?"
cairn compute linear-family @fisher-points --learners tree || echo "exit $?"
cairn compute linear-family @fisher-points --learners ' ; ' || echo "exit $?"
cairn compute linear-family @fisher-points --learners basic-lin || echo "exit $?"
cairn draw linear-family @iris --where "species != 'setosa'" || echo "exit $?"
