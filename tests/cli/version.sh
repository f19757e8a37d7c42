# SPDX-License-Identifier: MIT
# which levels there are depends on the processor
cairn --version | sed -E 's/^(kernels: )[a-z0-9]+ \(there are generic(, avx2)?(, avx512)?\)$/\1LEVEL (there are LEVELS)/'
