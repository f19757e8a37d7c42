# SPDX-License-Identifier: MIT
# Words that are no lesson: those that are about them.
cairn lesson entropy | head -6; echo
cairn lesson information gain | head -6; echo
cairn lesson entropy --check; echo "exit $?"
