# SPDX-License-Identifier: MIT
cairn describe @iris >out
grep -c "$(printf '\033')" out
exit 0
