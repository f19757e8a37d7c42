# SPDX-License-Identifier: MIT
# Variances of the parts, and the gain with its numbers put in.
cairn fit tree @cars --target price --task regress --steps --max-depth 1 --features model,mileage | grep -A8 'Parts by'
