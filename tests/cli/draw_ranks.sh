# SPDX-License-Identifier: MIT
cairn draw ranks @cv-accuracies
cairn draw ranks @cv-accuracies --control decision_tree
cairn draw ranks @cv-accuracies --control nobody
