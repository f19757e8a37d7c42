# SPDX-License-Identifier: MIT
cairn fit majority @iris --save m.cairn --quiet
sum=$(cksum <m.cairn)
cairn fit majority @iris --target nonsense --save m.cairn --quiet
[ "$sum" = "$(cksum <m.cairn)" ] && echo "the old model is as it was"
ls
