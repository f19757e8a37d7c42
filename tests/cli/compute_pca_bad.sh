# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said compute pca @pca --components 3
said compute pca @titanic
said compute pca @weather
said convert @titanic - --to csv --with pca
said compute pca @iris --columns species
said compute pca @iris --keep 1.5
said compute pca
