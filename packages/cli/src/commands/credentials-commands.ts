import { resolve } from "node:path";
import { agentsWithCredentials, type FoundCredential, findCredentials } from "@sandbox-agent-ts/agents";
import { type Command, Option } from "commander";
import { shownCredential, validity, variableLines } from "../credentials/present-credentials.ts";
import { exitCode } from "../exit-code.ts";
import { Output } from "../output/output.ts";
import { examplesHelp } from "./examples-help.ts";
import type { Finish } from "./finish.ts";

interface Choice {
  readonly agent?: string;
  readonly provider?: string;
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
    const found = (await chosen(choice)).map((credential) => shownCredential(credential, reveal === true));
    const out = new Output(process.stdout, { json: command.optsWithGlobals<{ json?: true }>().json });
    const rows = found.map((credential) => {
      const { agent, provider, kind, value = "", account = "", source } = credential;
      return [agent, provider, kind, value, validity(credential), account, source];
    });
    const source = { title: "source", shrink: "middle" } as const;
    await out.list(
      { credentials: found },
      ["agent", "provider", "kind", "value", "valid", "account", source],
      rows,
      "No credentials were found. Sign in to an agent, or set its API key.",
    );
    finish(exitCode.ok);
  });
}

function addExtractEnv(credentials: Command, finish: Finish): void {
  const command = chooser(
    credentials.command("extract-env").description("Print credentials that are good now as `export NAME=value` lines"),
  );
  command
    .option("-e, --export", "with `export` before each name, which is the default")
    .option("--no-export", "as NAME=value lines")
    .addHelpText("after", examplesHelp(['eval "$(sandbox-agent credentials extract-env)"']));
  command.action(async ({ export: isExported, ...choice }: Choice & { export?: boolean }) => {
    const out = new Output(process.stdout);
    const lines = variableLines(await chosen(choice), isExported === false ? "" : "export ");
    for (const line of lines) await out.line(line);
    finish(exitCode.ok);
  });
}

function chooser(command: Command): Command {
  return command
    .addOption(new Option("-a, --agent <agent>", "only this agent's").choices(agentsWithCredentials))
    .option("-p, --provider <provider>", "only those for this provider of models, e.g. anthropic")
    .option("-d, --home-dir <directory>", "look in this home directory only: not in your own, not in your variables")
    .option("--no-oauth", "only API keys, no sign-ins of persons");
}

async function chosen({ agent, provider, homeDir, oauth }: Choice): Promise<FoundCredential[]> {
  const found = await findCredentials({
    // Whose home it is has other variables than the caller.
    env: homeDir === undefined ? process.env : { HOME: resolve(homeDir) },
    warn: (sentence) => console.error(sentence),
    ...(agent === undefined ? {} : { agents: [agent] }),
  });
  if (homeDir !== undefined) console.error(`Looked in ${resolve(homeDir)} only, not at the variables of this shell.`);
  return found.filter(
    (credential) =>
      (provider === undefined || credential.provider === provider) && (oauth || credential.kind === "api-key"),
  );
}
