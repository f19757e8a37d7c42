# SPDX-License-Identifier: MIT
# answers are typed; what a pipe answers is shown behind the question
printf '0\n0,94\n94%%\n1\n' | cairn lesson entropy-curve --ask 2>&1 | head -40
