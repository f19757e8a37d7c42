# SPDX-License-Identifier: MIT
# Residuals of any regression; a model of classes has none.
cairn fit linear @regression-line --save line.cairn --quiet >out.txt
cairn draw residuals line.cairn @regression-line --part predicted
cairn draw residuals line.cairn @regression-line --part normal
cairn draw residuals line.cairn @regression-line --out residuals.svg
cairn fit tree @iris --save tree.cairn --quiet >out.txt
cairn draw residuals tree.cairn @iris || echo "exit $?"
