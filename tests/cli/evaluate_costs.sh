# SPDX-License-Identifier: MIT
cairn evaluate --full tree @weather --by loo --costs "0,1;5,0" --cost-fn 5 --errors --shuffles 2
cairn evaluate --full tree @weather --by loo --costs "0,1,2;5,0,1;1,1,1"
cairn evaluate --full tree @weather --by loo --costs "0,1"
