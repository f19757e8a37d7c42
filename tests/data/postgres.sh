#!/bin/sh
# SPDX-License-Identifier: MIT
# Start a PostgreSQL server of our own in a temporary folder, on a socket in it and no port, run a
# program that reads from it, and stop it, whatever happens. postgres.sh PROGRAM
# Ends with 77 (skipped) where the server is not installed.
set -eu
program=$1
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
[ -x "$bin/initdb" ] || bin=$(dirname "$(command -v initdb || echo /none/initdb)")
[ -x "$bin/initdb" ] || { echo "there is no PostgreSQL server; tools/packages test installs it"; exit 77; }

folder=$(mktemp -d /tmp/cairn-postgres-XXXXXX)
server=
stop() {
    trap - EXIT INT TERM HUP
    if [ -n "$server" ]; then
        kill -INT "$server" 2>/dev/null || :
        for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
            kill -0 "$server" 2>/dev/null || break
            sleep 0.1
        done
        kill -KILL "$server" 2>/dev/null || :
        wait "$server" 2>/dev/null || :
    fi
    rm -rf "$folder"
}
trap stop EXIT
trap 'stop; exit 1' INT TERM HUP

# The server refuses to run as root.
as=
if [ "$(id -u)" = 0 ]; then
    user=$(id -u postgres 2>/dev/null || id -u nobody)
    group=$(id -g postgres 2>/dev/null || id -g nobody)
    as="setpriv --reuid=$user --regid=$group --clear-groups"
    chown "$user:$group" "$folder"
fi
chmod 711 "$folder"
cd "$folder"
$as "$bin/initdb" -D data -U cairn -A trust -E UTF8 --locale=C --no-sync >log 2>&1 || { cat log; exit 1; }
printf 'local all locked scram-sha-256\nlocal all all trust\n' >hba
cat hba >data/pg_hba.conf
$as "$bin/postgres" -D data -k "$folder" -c listen_addresses= -c fsync=off -c shared_buffers=8MB \
    -c max_connections=10 -c autovacuum=off >>log 2>&1 &
server=$!
for try in $(seq 100); do
    "$bin/pg_isready" -q -h "$folder" && break
    kill -0 "$server" 2>/dev/null || { cat log; exit 1; }
    [ "$try" -lt 100 ] || { echo "the server did not start"; cat log; exit 1; }
    sleep 0.1
done
# What else is in the environment must not matter.
unset PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGSERVICE PGOPTIONS PGCONNECT_TIMEOUT 2>/dev/null || :
code=0
CAIRN_TEST_POSTGRES=$folder "$program" || code=$?
exit $code
