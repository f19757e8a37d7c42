# SPDX-License-Identifier: MIT
cairn compute frequency --values 1,2,2,3,7 --groups a,a,b,b,b --cuts 0,2,4,6
