# SPDX-License-Identifier: MIT
cairn fit majority --target=outlook @weather --format=json | grep model.target
