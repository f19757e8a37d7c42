# SPDX-License-Identifier: MIT
cairn draw nested @threshold --hypothesis 'x >= 19' --hypothesis 'x >= 25'
cairn draw nested @weather --hypothesis "outlook == 'sunny'" --hypothesis "humidity == 'high'" --hypothesis "wind == 'weak'"
cairn draw nested @weather --hypothesis "outlook == 'sunny'" --hypothesis "humidity == 'high'" --hypothesis "wind == 'weak'" --hypothesis "temperature == 'mild'"
