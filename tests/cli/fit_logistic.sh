# SPDX-License-Identifier: MIT
cairn fit logistic @weight-diabetes
cairn fit logistic @three-classes-mixed --where "row() <= 14 and row() != 10 and row() != 5"
