# SPDX-License-Identifier: MIT
cairn compute correlation-ratio --values 5,6,7,1,2 --groups u,u,u,v,v
cairn compute correlation-ratio --values 5,6
