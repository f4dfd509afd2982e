import { Argument, type Command } from "commander";
import { exitCode } from "../../exit-code.ts";
import { Output } from "../../output/output.ts";
import { examplesHelp } from "../examples-help.ts";
import type { Finish } from "../finish.ts";

const shells = ["bash", "zsh", "fish"] as const;

const examples = [
  "source <(sandbox-agent completion bash)       # in ~/.bashrc",
  "source <(sandbox-agent completion zsh)        # in ~/.zshrc",
  "sandbox-agent completion fish | source        # in ~/.config/fish/config.fish",
];

export function addCompletionCommand(program: Command, finish: Finish): void {
  program
    .command("completion")
    .description("Print a script that lets a shell complete commands, flags, session ids and agents")
    .addArgument(new Argument("<shell>", "for which shell").choices(shells))
    .configureHelp({ showGlobalOptions: false })
    .addHelpText("after", examplesHelp(examples))
    .action(async (shell: (typeof shells)[number]) => {
      const { completionTree } = await import("./completion-tree.ts");
      const { bashCompletion, zshCompletion } = await import("./bash-completion.ts");
      const { fishCompletion } = await import("./fish-completion.ts");
      const script = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }[shell];
      await new Output(process.stdout).write(script(completionTree(program)));
      finish(exitCode.ok);
    });
}
