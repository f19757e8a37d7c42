# SPDX-License-Identifier: MIT
# A level that is none, or that the machine lacks, is warned of, with those that there are.
CAIRN_KERNELS=sse9 cairn fit majority @iris --quiet 2>&1 >/dev/null | sed -E 's/[a-z0-9]+ \(there are generic[^;)]*/LEVEL (there are LEVELS/'
CAIRN_KERNELS=generic cairn --version | cut -d' ' -f1-2
CAIRN_KERNELS= cairn fit majority @iris --quiet 2>&1 >/dev/null
