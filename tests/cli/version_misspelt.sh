# SPDX-License-Identifier: MIT
for word in version -V -v --hlep --versoin; do cairn $word; echo $?; done
cairn predict --hlep; echo $?
