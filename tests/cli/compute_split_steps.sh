# SPDX-License-Identifier: MIT
cairn compute split @weather --steps --format json | grep '^ *"outlook\.' | sed -E 's,([0-9]\.[0-9]{5})[0-9]*,\1,'
