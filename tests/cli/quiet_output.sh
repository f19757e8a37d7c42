# SPDX-License-Identifier: MIT
cairn evaluate majority @weather --quiet --out r.json
ls
