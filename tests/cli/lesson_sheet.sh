# SPDX-License-Identifier: MIT
# exercises on paper
cairn lesson entropy-curve least-squares-line --sheet latex
cairn lesson --topic items --turn --seed 2 --sheet html --out sheet.html
grep -c 'class="rule"' sheet.html
