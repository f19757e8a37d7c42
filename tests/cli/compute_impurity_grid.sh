# SPDX-License-Identifier: MIT
cairn compute impurity --at 0,0.25,0.5 --format json | grep '"at\.' | sed -E 's,([0-9]\.[0-9]{5})[0-9]*,\1,'
