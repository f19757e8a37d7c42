# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said compute generalise @dolphins --language disjunction --where 'class = "pos"'
said compute generalise @pass-fail --no-lattice
said compute specialise @dolphins --start 'gills=no'
said compute concept-path @dolphins --path 'gills=no' --path 'gills=no & beak=yes'
said compute concept-path @dolphins --from p9
said compute closed-concepts @dolphins --limit 50
