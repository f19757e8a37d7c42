# SPDX-License-Identifier: MIT
cairn fit tree @iris --where 'sepal_length > > 5'
