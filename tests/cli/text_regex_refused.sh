# SPDX-License-Identifier: MIT
cairn convert @texts - --to csv --with 'text-features:regex="a(b|*c"'
