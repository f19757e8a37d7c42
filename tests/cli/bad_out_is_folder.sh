# SPDX-License-Identifier: MIT
mkdir r.html
cairn describe @iris --out r.html
ls
