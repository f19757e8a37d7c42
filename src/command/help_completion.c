/* SPDX-License-Identifier: MIT */
/* Completion scripts for three shells. All of them ask the program ('cairn complete') what may
 * stand in the place of the word that is begun, so that the shells agree and know every option of
 * every record; a line with nothing but a tab asks the shell for its own completion of paths. */
#include "command/complete.h"

static const char bash_script[] =
    "# bash completion for cairn\n"
    "_cairn()\n"
    "{\n"
    "  COMPREPLY=()\n"
    "  mapfile -t COMPREPLY < <(\"${1/#~\\//$HOME/}\" complete --breaks \"$COMP_WORDBREAKS\" \\\n"
    "    --line \"${COMP_LINE:0:COMP_POINT}\" 2>/dev/null)\n"
    "  if [[ ${COMPREPLY[0]-} == $'\\t' ]]; then\n"
    "    COMPREPLY=()\n"
    "    compopt -o default\n"
    "  elif (( ${#COMPREPLY[@]} == 1 )) && [[ ${COMPREPLY[0]} == *[/:=,] ]]; then\n"
    "    compopt -o nospace\n"
    "  fi\n"
    "}\n"
    "complete -F _cairn cairn\n";

static const char zsh_script[] =
    "#compdef cairn\n"
    "_cairn()\n"
    "{\n"
    "  local -a lines open shut\n"
    "  local line\n"
    "  lines=( ${(f)\"$(${(Q)words[1]} complete -- \"${(@Q)words[2,CURRENT-1]}\" \"${(Q)PREFIX}\" "
    "2>/dev/null)\"} )\n"
    "  if [[ ${lines[1]} == $'\\t' ]]; then\n"
    "    _files\n"
    "    return\n"
    "  fi\n"
    "  for line in $lines; do\n"
    "    line=${line%%$'\\t'*}\n"
    "    if [[ $line == *[/:=,] ]]; then open+=( $line ); else shut+=( $line ); fi\n"
    "  done\n"
    "  compadd -- $shut\n"
    "  compadd -S '' -- $open\n"
    "}\n"
    "if [[ $funcstack[1] == _cairn ]]; then _cairn \"$@\"; else compdef _cairn cairn; fi\n";

static const char fish_script[] =
    "# fish completion for cairn\n"
    "function __cairn_complete\n"
    "  set -l words (commandline -opc)\n"
    "  set -l word (commandline -ct | string unescape)\n"
    "  test -n \"$word\"; or set word (commandline -ct)\n"
    "  test -n \"$word\"; or set word ''\n"
    "  for line in (command $words[1] complete -- $words[2..-1] $word 2>/dev/null)\n"
    "    if test \"$line\" = \\t\n"
    "      __fish_complete_path (commandline -ct)\n"
    "    else\n"
    "      printf '%s\\n' $line\n"
    "    end\n"
    "  end\n"
    "end\n"
    "complete -c cairn -f -a '(__cairn_complete)'\n";

const char *cairn_completion_script(cairn_shell shell)
{
    static const char *const scripts[] = {"", bash_script, zsh_script, fish_script};
    return scripts[shell];
}
