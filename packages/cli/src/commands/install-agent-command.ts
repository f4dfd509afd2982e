import { randomBytes } from "node:crypto";
import type { Command } from "commander";
import { runningDaemon } from "../background/run-record.ts";
import { type Connection, type ConnectionFlags, connectionOf } from "../client/connection.ts";
import { dataDirectory } from "../data-dir.ts";
import { exitCode } from "../exit-code.ts";
import { version } from "../version.ts";
import { examplesHelp } from "./examples-help.ts";
import type { Finish } from "./finish.ts";

/** `install-agent` works without a daemon too, e.g. while an image is built. */
export function addInstallAgentCommand(program: Command, finish: Finish): void {
  const command = program
    .command("install-agent")
    .description("Install an agent on this machine, whether a daemon runs or not")
    .argument("<agent>", "id of the agent, see `sandbox-agent agents list`")
    .option("-r, --reinstall", "install again even if it is there")
    .addHelpText("after", examplesHelp(["install-agent claude", "install-agent codex --reinstall"]));
  command.action(async (agent: string, { reinstall }: { reinstall?: true }) => {
    const flags = command.optsWithGlobals<ConnectionFlags>();
    await withSomeDaemon(flags, async (connection) => {
      const { withClient } = await import("../client/with-client.ts");
      await withClient(connection, (client) => client.installAgent(agent, reinstall ? { reinstall } : {}));
    });
    finish(exitCode.ok);
  });
}

/** The daemon that was named, else the one of this data directory, else one of our own for as long as it takes. */
async function withSomeDaemon(flags: ConnectionFlags, use: (connection: Connection) => Promise<void>): Promise<void> {
  const dataDir = dataDirectory(undefined, process.env);
  const running = runningDaemon(dataDir);
  if (flags.endpoint !== undefined) return use(connectionOf(flags, process.env));
  if (running !== undefined) return use(connectionOf({ ...flags, endpoint: running.url }, process.env));
  const { startDaemon } = await import("@sandbox-agent-ts/daemon");
  const token = randomBytes(24).toString("base64url");
  const cors = { origins: [], methods: [], headers: [], credentials: false };
  const options = { host: "127.0.0.1", port: 0, token, cors, dataDir, fsRoots: [], version, env: process.env };
  const daemon = await startDaemon({ ...options, logLevel: "error" });
  try {
    await use({ baseUrl: daemon.url, token });
  } finally {
    await daemon.close();
  }
}
