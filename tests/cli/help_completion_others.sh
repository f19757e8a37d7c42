# SPDX-License-Identifier: MIT
cairn help --completion zsh | head -n 1
cairn help --completion fish | head -n 2
command -v zsh >/dev/null && cairn help --completion zsh | zsh -n
command -v fish >/dev/null && cairn help --completion fish | fish -n
exit 0
