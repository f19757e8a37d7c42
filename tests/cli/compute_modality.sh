# SPDX-License-Identifier: MIT
cairn compute modality --mixture '0.5,0,1;0.5,4,1'
cairn compute modality --mixture '0.5,0,1;0.5,1.5,1' | head -n 6
cairn compute modality --distribution chi-squared --df 5 | head -n 9
