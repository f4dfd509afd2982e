import { homedir } from "node:os";
import { type Command, Option } from "commander";
import type { Credential } from "../credentials/credential.ts";
import { agentsWithCredentials, findCredentials } from "../credentials/find-credentials.ts";
import { exportLines, redact } from "../credentials/present-credentials.ts";
import { exitCode } from "../exit-code.ts";
import { Output } from "../output/output.ts";
import { examplesHelp } from "./examples-help.ts";
import type { Finish } from "./finish.ts";

interface Choice {
  readonly agent?: string;
  readonly homeDir?: string;
  readonly oauth: boolean;
}

export function addCredentialsCommands(program: Command, finish: Finish): void {
  const credentials = program
    .command("credentials")
    .description("What the agents on this machine are signed in with (environment and their own files)")
    .configureHelp({ showGlobalOptions: false });
  addExtract(credentials, finish);
  addExtractEnv(credentials, finish);
}

function addExtract(credentials: Command, finish: Finish): void {
  const command = chooser(credentials.command("extract").description("List credentials, redacted unless --reveal"))
    .option("--reveal", "print them in full")
    .addHelpText("after", examplesHelp(["credentials extract", "credentials extract --agent claude --json"]));
  command.action(async ({ reveal, ...choice }: Choice & { reveal?: true }) => {
    const found = chosen(choice).map((credential) => (reveal ? credential : redacted(credential)));
    const out = new Output(process.stdout, { json: command.optsWithGlobals<{ json?: true }>().json });
    const rows = found.map(({ agent, provider, kind, value, source }) => [agent, provider, kind, value, source]);
    const columns = ["agent", "provider", "kind", "value", { title: "source", shrink: "middle" }] as const;
    await out.list(
      { credentials: found },
      columns,
      rows,
      "No credentials were found. Sign in to an agent, or set its API key.",
    );
    finish(exitCode.ok);
  });
}

function addExtractEnv(credentials: Command, finish: Finish): void {
  const command = chooser(
    credentials.command("extract-env").description("Print credentials as `export NAME=value` lines"),
  );
  command.addHelpText("after", examplesHelp(['eval "$(sandbox-agent credentials extract-env)"']));
  command.action(async (choice: Choice) => {
    const out = new Output(process.stdout);
    for (const line of exportLines(chosen(choice))) await out.line(line);
    finish(exitCode.ok);
  });
}

function chooser(command: Command): Command {
  return command
    .addOption(new Option("-a, --agent <agent>", "only this agent's").choices(agentsWithCredentials))
    .option("-d, --home-dir <directory>", "look in this home directory instead of your own")
    .option("--no-oauth", "only API keys, no sign-ins of persons");
}

function chosen({ agent, homeDir, oauth }: Choice): Credential[] {
  const warn = (sentence: string): void => console.error(sentence);
  return findCredentials(homeDir ?? homedir(), process.env, warn).filter(
    (credential) => (agent === undefined || credential.agent === agent) && (oauth || credential.kind === "api-key"),
  );
}

const redacted = (credential: Credential): Credential => ({ ...credential, value: redact(credential.value) });
