# SPDX-License-Identifier: MIT
# What boost says when loss, target and constraints do not go together.
cairn fit boost @iris --target species --loss logistic
cairn fit boost @iris --target species --loss squared
cairn fit boost @iris --target petal_width --loss absolute --monotone +petal_length
cairn fit boost @weather --target play --monotone +outlook
cairn fit boost @iris --target species --patience 3
