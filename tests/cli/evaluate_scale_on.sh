# SPDX-License-Identifier: MIT
cairn evaluate --full linear @iris --target petal_width --task regress --by loo --with scale:method=midrange,factor=10,target=yes --scale-on all | head -5
cairn evaluate --full linear @iris --target petal_width --task regress --scale-on some
true
