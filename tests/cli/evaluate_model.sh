# SPDX-License-Identifier: MIT
cairn fit majority @weather --save m.cairn --quiet
cairn evaluate m.cairn @weather --format json | grep '"accuracy": ' | cut -c 1-22
cairn evaluate m.cairn @weather --by cv:3
