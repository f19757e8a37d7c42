# SPDX-License-Identifier: MIT
cairn compute bias-variance --formula "sin(6*x)" --with basis:type=powers --over basis.degree=1,3,5 \
    --samples 40 --threads 1 >one
cairn compute bias-variance --formula "sin(6*x)" --with basis:type=powers --over basis.degree=1,3,5 \
    --samples 40 --threads 4 >four
cmp one four && cat one
