# SPDX-License-Identifier: MIT
cairn fit tree:max-depth=1 @weather --format json | grep -c node2 || true
cairn fit --full tree @weather --max-depth 1 --save m.cairn --quiet
cairn describe --full m.cairn | grep command
