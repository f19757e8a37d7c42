# SPDX-License-Identifier: MIT
# A column that names rows is learned from when it is asked for by name, and only then.
cairn fit --full majority @weather | grep experience
cairn fit --full majority @weather --features day,outlook | grep experience
cairn compute split @weather --features day,outlook
