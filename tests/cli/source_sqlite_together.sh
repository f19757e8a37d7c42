# SPDX-License-Identifier: MIT
# Three writers make the same new database at once: each table is there or was refused, and the
# database of the first is never taken away.
for round in 1 2 3 4 5; do
    for writer in 1 2 3; do
        cairn convert @iris "sqlite:same$round.db?table=iris" --quiet 2>refused$writer &
        cairn convert @weather "sqlite:other$round.db?table=t$writer" --quiet 2>failed$writer &
    done
    wait
    cat refused1 refused2 refused3 | sort -u
    cat failed1 failed2 failed3
    cairn convert "sqlite:same$round.db?query=SELECT count(*) AS rows FROM iris" - --to csv --quiet
    cairn convert "sqlite:other$round.db?query=SELECT count(*) AS tables FROM sqlite_master" - --to csv --quiet
done
ls
