# SPDX-License-Identifier: MIT
# A DuckDB database is known by its first bytes; without its library a message says where to get it.
printf '12345678DUCK\100\0\0\0\0\0\0\0' >data.duckdb
cairn describe data.duckdb || echo "exit $?"
CAIRN_DUCKDB=/none/libduckdb.so cairn describe duckdb:data.duckdb 2>&1 | cut -c 1-70
cairn describe 'duckdb:' || echo "exit $?"
