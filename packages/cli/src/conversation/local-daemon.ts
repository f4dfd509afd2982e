import { connect } from "node:net";
import { runningDaemon } from "../background/run-record.ts";
import { startBackground } from "../background/start-background.ts";
import { type Connection, type ConnectionFlags, connectionOf } from "../client/connection.ts";
import { dataDirectory, type Environment } from "../data-dir.ts";
import { serverArguments } from "../server/server-arguments.ts";
import { serverSettings } from "../server/server-settings.ts";

const LOOK_LIMIT_MS = 1_000;

/** The daemon that was named or that runs in the data directory; where there is none, one is started in the background. */
export async function localDaemon(
  flags: ConnectionFlags,
  env: Environment,
  tell: (sentence: string) => void,
): Promise<Connection> {
  const isNamed = flags.endpoint !== undefined || Boolean(env.SANDBOX_AGENT_ENDPOINT);
  const dataDir = dataDirectory(flags.dataDir, env);
  if (!isNamed && runningDaemon(dataDir) === undefined) {
    const settings = serverSettings({ "data-dir": dataDir, token: flags.token }, env);
    const port = (await isTaken(settings.host, settings.port)) ? 0 : settings.port;
    const { daemon } = await startBackground({
      flags: serverArguments({ ...settings, port }),
      token: settings.token ?? undefined,
      dataDir,
      env,
    });
    tell(`Started a daemon at ${daemon.url}. It goes on running: \`sandbox-agent daemon stop\` ends it.`);
  }
  return connectionOf(flags, env);
}

function isTaken(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: LOOK_LIMIT_MS });
    const answer = (taken: boolean): void => {
      socket.destroy();
      resolve(taken);
    };
    socket
      .once("connect", () => answer(true))
      .once("error", () => answer(false))
      .once("timeout", () => answer(true));
  });
}
