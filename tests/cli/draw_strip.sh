# SPDX-License-Identifier: MIT
cairn draw strip --cuts 6,12,18 --parts night,morning,afternoon,evening --low 0 --high 24
cairn draw class-line @weight-diabetes
cairn draw projection @disc-points --part strip
cairn draw strip --cuts 2,1
