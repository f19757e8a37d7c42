# SPDX-License-Identifier: MIT
for picture in scatter histogram bars lines; do
    cairn draw $picture @iris --out $picture.svg
    head -c 4 $picture.svg; echo
done
