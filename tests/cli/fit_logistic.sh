# SPDX-License-Identifier: MIT
cairn fit --full logistic @weight-diabetes
cairn fit --full logistic @three-classes-mixed --where "row() <= 14 and row() != 10 and row() != 5"
