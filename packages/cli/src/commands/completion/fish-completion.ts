import type { Candidates, CompletionNode, CompletionOption } from "./completion-tree.ts";

export function fishCompletion(nodes: readonly CompletionNode[]): string {
  const paths = nodes.filter(({ path }) => path !== "").map(({ path }) => quoted(path));
  const withValue = new Set(
    nodes.flatMap(({ options }) => options.flatMap(({ names, value }) => (value === undefined ? [] : names))),
  );
  return `# Completion of sandbox-agent for fish. In ~/.config/fish/config.fish: sandbox-agent completion fish | source
set -g __sandbox_agent_commands ${paths.join(" ")}
set -g __sandbox_agent_values ${[...withValue].join(" ")}

function __sandbox_agent_at
    set -l path
    set -l is_value 0
    for word in (commandline -opc)[2..]
        if test $is_value = 1
            set is_value 0
            continue
        end
        contains -- $word $__sandbox_agent_values; and set is_value 1
        set -l longer (string trim -- "$path $word")
        contains -- "$longer" $__sandbox_agent_commands; and set path $longer
    end
    test "$path" = "$argv[1]"
end

function __sandbox_agent_ids
    sandbox-agent $argv[1] list 2>/dev/null | awk 'NR > 1 { print $1 }'
end

complete -c sandbox-agent -f
${nodes.flatMap(nodeLines).join("\n")}
`;
}

function nodeLines(node: CompletionNode): string[] {
  const start = `complete -c sandbox-agent -n ${quoted(`__sandbox_agent_at "${node.path}"`)}`;
  return [
    ...node.commands.map(({ name, description }) => `${start} -a ${quoted(name)} -d ${quoted(description)}`),
    ...node.options.map((option) => `${start}${optionWords(option)}`),
    ...(node.arguments[0] === undefined ? [] : [`${start}${valueWords(node.arguments[0])}`]),
  ];
}

function optionWords({ names, description, value }: CompletionOption): string {
  const words = names.map((name) => (name.startsWith("--") ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`));
  return `${words.join("")}${value === undefined ? "" : ` -r${valueWords(value)}`} -d ${quoted(description)}`;
}

function valueWords(value: Candidates): string {
  if (value === "files") return " -F";
  if (value === "anything") return "";
  return ` -a ${quoted(typeof value === "string" ? `(__sandbox_agent_ids ${value})` : value.join(" "))}`;
}

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
