# SPDX-License-Identifier: MIT
cairn compute version-space @enjoysport --predict sunny,warm,normal,strong,cool,change --predict rainy,cold,normal,strong,warm,same --predict sunny,cold,normal,strong,warm,same --hypothesis '(sunny, ?, ?, ?, ?, ?)' --hypothesis '(?, ?, ?, ?, ?, same)'
cairn compute version-space @weather | tail -6
cairn compute version-space @weather --language subsets | tail -8
