# SPDX-License-Identifier: MIT
# What export writes is no report: a format for reports is refused, not passed over.
cairn fit majority @weather --save m.cairn --quiet
cairn export m.cairn --format json
echo $?
