# SPDX-License-Identifier: MIT
cairn predict nothing.cairn @iris --where 'petal_lenght > 5 and'
cairn describe @iris --where 'petal_lenght > 5'
