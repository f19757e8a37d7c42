# SPDX-License-Identifier: MIT
# A password is not repeated.
cairn describe 'postgres://me:s3cret@127.0.0.1:1/db?table=t' 2>message || echo "exit $?"
grep -c s3cret message
cut -c 1-45 message
