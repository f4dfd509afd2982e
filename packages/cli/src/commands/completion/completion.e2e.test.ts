/** Feared: a script that no shell can read, or that completes commands there are not. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cliBundle } from "../../../../../scripts/setup.mjs";
import { SharedEnd } from "../../../../daemon/src/__fixtures__/at-end.ts";
import { CliHome } from "../../__fixtures__/cli-home.ts";
import { describeInTerminal } from "../../__fixtures__/in-terminal.ts";

let home: CliHome;

const shared = new SharedEnd();
beforeAll(async () => {
  home = await CliHome.create(shared.atEnd);
  await home.startServer();
  await home.json("sessions", "create", "my-session", "--agent", "mock");
  mkdirSync(join(home.path, "bin"));
  const program = join(home.path, "bin", "sandbox-agent");
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${cliBundle}' "$@"\n`);
  chmodSync(program, 0o755);
  home.env.PATH = `${join(home.path, "bin")}:${home.env.PATH}`;
  for (const shell of ["bash", "zsh", "fish"]) {
    const { stdout } = await home.run(["completion", shell]);
    writeFileSync(script(shell), stdout);
  }
});
afterAll(() => shared.undoAll());

const script = (shell: string): string => join(home.path, `script.${shell}`);
const run = (command: string, ...args: string[]): string[] =>
  execFileSync(command, args, { env: home.env, cwd: home.path, encoding: "utf8" }).trim().split("\n");

/** A shell that may not be here: then the group says so in its title. */
function describeShell(shell: string, tests: () => void): void {
  const isThere = spawnSync(shell, ["--version"]).status === 0;
  const missing = ` (not here: ${shell} is not installed)`;
  describe.skipIf(!isThere)(`the completion for ${shell}${isThere ? "" : missing}`, tests);
}

const cases: readonly (readonly [line: string, expected: readonly string[]])[] = [
  ["sandbox-agent ses", ["sessions"]],
  ["sandbox-agent sessions send", ["send-message", "send-message-stream"]],
  ["sandbox-agent --endpoint sessions daemon sta", ["start", "status"]],
  ["sandbox-agent sessions create x --permission-mode acc", ["acceptEdits"]],
  ["sandbox-agent sessions get my-", ["my-session"]],
  ["sandbox-agent sessions create x --agent moc", ["mock"]],
  ["sandbox-agent sessions create x --sys", ["--system-prompt"]],
  ["sandbox-agent completion f", ["fish"]],
  ["sandbox-agent api fs upl", ["upload-batch"]],
];

describeShell("bash", () => {
  const complete = `source "$1"; COMP_WORDS=($2); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _sandbox_agent
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const completed = (line: string): string[] => run("bash", "--norc", "-c", complete, "bash", script("bash"), line);

  it.each(cases)("%s", (line, expected) => {
    expect(completed(line).toSorted()).toEqual(expected.toSorted());
  });

  it("completes files where one is meant", () => {
    expect(completed("sandbox-agent fs write x --file scr")).toContain("script.bash");
  });
});

describeShell("fish", () => {
  it.each(cases)("%s", (line, expected) => {
    const found = run("fish", "--no-config", "-c", `source ${script("fish")}; complete -C ${JSON.stringify(line)}`);
    const words = found.map((entry) => entry.split("\t")[0]!);
    expect(words.toSorted()).toEqual(expected.toSorted());
  });
});

describeShell("zsh", () => {
  describeInTerminal("at its prompt", () => {
    it.each(cases.filter(([, expected]) => expected.length === 1))("%s", async (line, [expected]) => {
      const zsh = home.terminalOf(["zsh", "-f", "-i"], { env: { PS1: "ready> " } });
      await zsh.until("ready>");
      zsh.type(`source ${script("zsh")}; echo done''1\r`);
      await zsh.until("done1");
      zsh.type(`${line}\t`);
      await zsh.until(expected!);
    });
  });
});
