# SPDX-License-Identifier: MIT
cairn compare majority tree
cairn compare tre --on @iris
cairn compare tree tree --on @iris
cairn compare tree majority --on @iris --measure mse
cairn compare tree majority --on @iris --control linear
cairn compare tree --on @iris --measure acuracy
cairn compare --on @iris
