# SPDX-License-Identifier: MIT
# every target of a few bits; what cannot be seen or labelled so
cairn compute no-free-lunch --steps
cairn compute no-free-lunch --bits 2 --seen 0,3 --labels 01 --learners 'bayes;stump-of-none'
cairn compute no-free-lunch --bits 2 --seen 0,3 --labels 01 --learners 'bayes;one-r'
cairn compute no-free-lunch --bits 2 --seen 0,4
cairn compute no-free-lunch --bits 2 --seen 1
cairn compute no-free-lunch --bits 2 --seen 0,1,2,3
cairn compute no-free-lunch --labels 012
cairn compute no-free-lunch --learners ';'
true
