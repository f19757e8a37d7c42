# SPDX-License-Identifier: MIT
cairn compute pca @pca-three --steps
