#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that was built against the first headers of 0.1 runs with the shared library, or does not
# meet it, because the library has another soname by now. run.sh BUILD-FOLDER PROGRAM
set -eu
soname=$(objdump -p "$1/libcairn.so" | sed -n 's/^ *SONAME *//p')
if [ "$soname" != libcairn.so.0.1 ]; then
    echo "ok: the library is $soname, the program wants libcairn.so.0.1"
    exit 0
fi
objdump -p "$2" | grep -q 'NEEDED *libcairn.so.0.1$'
objdump -T "$2" | grep -q 'CAIRN_0\.1.* cairn_model_fit'
"$2"
