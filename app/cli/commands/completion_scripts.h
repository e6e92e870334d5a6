#pragma once
// The scripts by which shells complete command lines of the program. They ask `threadscape completion --words`, so they
// do not change when commands, options or algorithms do.

#include <string_view>

namespace threadscape::app {

// Bash divides words at "=", so only the part behind the last one is replaced.
inline constexpr std::string_view bash_completion =
    R"--(# Completion of threadscape for bash; made by `threadscape completion bash`.
_threadscape() {
  local line=${COMP_LINE:0:COMP_POINT} typed word help
  local -a words
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  typed=${words[${#words[@]} - 1]}
  COMPREPLY=()
  while IFS=$'\t' read -r word help; do
    if [[ $word == :files ]]; then
      compopt -o filenames 2> /dev/null
      while read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$typed")
      continue
    fi
    [[ $word == *= ]] && compopt -o nospace 2> /dev/null
    [[ $typed == *=* ]] && word=${word#"${typed%=*}="}
    COMPREPLY+=("$word")
  done < <("${words[0]}" completion --words "${words[@]:1}" 2> /dev/null)
}
complete -F _threadscape threadscape
)--";

inline constexpr std::string_view zsh_completion = R"--(#compdef threadscape
# Completion of threadscape for zsh; made by `threadscape completion zsh`.
_threadscape() {
  local line word
  local -a plain open
  for line in "${(@f)$("${words[1]}" completion --words "${(@)words[2,CURRENT-1]}" "$PREFIX" 2> /dev/null)}"; do
    word=${line%%$'\t'*}
    if [[ $word == :files ]]; then
      _files
    elif [[ $word == *= ]]; then
      open+=("${word//:/\\:}:${line#*$'\t'}")
    elif [[ -n $word ]]; then
      plain+=("${word//:/\\:}:${line#*$'\t'}")
    fi
  done
  (( $#open )) && _describe 'parameter' open -S ''
  (( $#plain )) && _describe 'value' plain
}
if [[ $funcstack[1] == _threadscape ]]; then
  _threadscape "$@"
else
  compdef _threadscape threadscape
fi
)--";

inline constexpr std::string_view fish_completion =
    R"--(# Completion of threadscape for fish; made by `threadscape completion fish`.
function __threadscape_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    for line in ($words[1] completion --words $words[2..-1] "$typed" 2> /dev/null)
        if test "$line" = ':files'
            __fish_complete_path "$typed"
        else
            echo $line
        end
    end
end
complete -c threadscape -f -a '(__threadscape_complete)'
)--";

}  // namespace threadscape::app
