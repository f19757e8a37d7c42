# SPDX-License-Identifier: MIT
# Ten per cent more of five rows are none: every round has at least one row more.
timeout 60 cairn tune tree @weather --target play --over max-depth=1:9 --search halving --factor 1.1 \
    --least-rows 5 --by cv:2 --quiet --format json | grep -c '"values"'
cairn tune tree @weather --over max-depth=1:9 --search halving --factor 1.01
echo $?
