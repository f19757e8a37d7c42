# SPDX-License-Identifier: MIT
# Files of kinds that are not read are named as what they are, with what makes a table of them.
try() { printf "$1" >"$2"; cairn describe "$2" 2>&1; echo "exit $?"; }
try 'ORC\021\000' flights.orc
try '\211HDF\r\n\032\n' flights.h5
try '$FL2@(#) SPSS' survey.sav
try 'X\n\000\000\000\003' model.rds
try '\200\004\225\000' frame.pkl
try '\320\317\021\340\241' old.xls
try '12345678DUCK' shop.duckdb
