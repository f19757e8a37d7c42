# SPDX-License-Identifier: MIT
cairn compute generate clouds --means '0,0;3,0' --sd 1 --rows 1000 --format json | grep -E '"(rows|features|bayes.error)"'
