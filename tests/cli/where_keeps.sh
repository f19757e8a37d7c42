# SPDX-License-Identifier: MIT
cairn describe @titanic --rows 0 --where 'age >= 18 and sex = "female"' --format json | grep '"where'
