import type { Candidates, CompletionNode } from "./completion-tree.ts";

/** A script for bash; zsh reads it too, with its own emulation of bash's completion in front. */
export function bashCompletion(nodes: readonly CompletionNode[]): string {
  return `# Completion of sandbox-agent for bash. In ~/.bashrc: source <(sandbox-agent completion bash)
_sandbox_agent_node() {
  case "$1" in
${nodes.map(nodeCase).join("\n")}
  esac
}

# Names like path and words are special in zsh.
_sandbox_agent() {
  [[ -n \${ZSH_VERSION-} ]] && emulate -L ksh
  local program="\${COMP_WORDS[0]}" current="\${COMP_WORDS[COMP_CWORD]}"
  local node="" wanted="" position=0 i word entry names flags values places found=""
  _sandbox_agent_node ""
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [[ -n $wanted ]]; then
      wanted=""
    elif [[ $word == -* ]]; then
      for entry in $values; do [[ $entry == "$word:"* ]] && wanted="\${entry#*:}"; done
    elif [[ " $names " == *" $word "* ]]; then
      node="\${node:+$node }$word"
      _sandbox_agent_node "$node"
    else
      position=$((position + 1))
    fi
  done
  if [[ -z $wanted && $current == -* ]]; then
    wanted="\${flags// /,}"
  elif [[ -z $wanted && -n $names ]]; then
    wanted="\${names// /,}"
  elif [[ -z $wanted ]]; then
    i=0
    for entry in $places; do
      [[ $i -eq $position ]] && wanted="$entry"
      i=$((i + 1))
    done
  fi
  case "$wanted" in
    @sessions) found="$("$program" sessions list 2>/dev/null | awk 'NR > 1 { print $1 }')" ;;
    @agents) found="$("$program" agents list 2>/dev/null | awk 'NR > 1 { print $1 }')" ;;
    @files)
      COMPREPLY=($(compgen -f -- "$current"))
      return
      ;;
    @*) ;;
    *) found="\${wanted//,/ }" ;;
  esac
  COMPREPLY=($(compgen -W "$found" -- "$current"))
}

complete -F _sandbox_agent sandbox-agent
`;
}

export function zshCompletion(nodes: readonly CompletionNode[]): string {
  return `# Completion of sandbox-agent for zsh. In ~/.zshrc: source <(sandbox-agent completion zsh)
autoload -U +X compinit && { whence -w compdef >/dev/null || compinit -u; }
autoload -U +X bashcompinit && bashcompinit
${bashCompletion(nodes).split("\n").slice(1).join("\n")}`;
}

function nodeCase({ path, commands, options, arguments: positions }: CompletionNode): string {
  const names = options.flatMap((option) => option.names);
  const values = options.flatMap(({ names: of, value }) =>
    value === undefined ? [] : of.map((name) => `${name}:${coded(value)}`),
  );
  const parts = [
    `names="${commands.map(({ name }) => name).join(" ")}"`,
    `flags="${names.join(" ")}"`,
    `values="${values.join(" ")}"`,
    `places="${positions.map(coded).join(" ")}"`,
  ];
  return `    "${path}") ${parts.join(" ")} ;;`;
}

const coded = (candidates: Candidates): string =>
  typeof candidates === "string" ? `@${candidates}` : candidates.join(",");
