# SPDX-License-Identifier: MIT
cairn compute percentiles @mixture --at 5 --percents 10,50,90
