# SPDX-License-Identifier: MIT
cairn fit tree @weather --smooth laplace --max-depth 1 --save t.cairn --quiet >fit.txt
cairn predict t.cairn @weather --output scores --quiet | head -n 4
cairn fit tree @weather --smooth m --quiet
