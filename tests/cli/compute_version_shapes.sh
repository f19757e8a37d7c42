# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said compute version-line @threshold --form at-least --predict 16,18,21
said compute version-line @threshold-seven --form below
said compute version-boxes @disc-points --sides closed --predict 10,8 --predict 1,1 --predict 17,8 --box 4,15,5,11
said compute version-boxes @iris --positive versicolor --target species
said compute version-discs @disc-points --centre 9,10 --centre 0,0
said compute version-discs @pass-fail --positive Fail
said compute version-discs @iris --positive setosa
said compute version-line @family-car
said compute version-boxes @family-car --box 1,2
