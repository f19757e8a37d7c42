# SPDX-License-Identifier: MIT
cairn fit majority @weather --features outlook,wind --format json | grep -c outlook || true
cairn fit --full majority @weather --ignore wind | grep experience
