/** Feared: two programs of one user that start a daemon each and get into each other's way; sessions lost or left over. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { buildCli, cliBundle } from "../../../../scripts/setup.mjs";
import { SandboxAgent } from "../client.ts";
import type { SandboxAgentSpawnOptions } from "./spawn-options.ts";

beforeAll(() => buildCli());

function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), "sandbox-agent-sdk-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/** The real daemon, as a person with this home directory would start it. */
async function start(home: string, { env, ...options }: SandboxAgentSpawnOptions = {}): Promise<SandboxAgent> {
  const ofHome = { HOME: home, XDG_DATA_HOME: undefined, SANDBOX_AGENT_DATA_DIR: undefined };
  const client = await SandboxAgent.start({ spawn: { ...options, binaryPath: cliBundle, env: { ...ofHome, ...env } } });
  onTestFinished(() => client.dispose());
  return client;
}

async function say(client: SandboxAgent, sessionId: string, message: string): Promise<string> {
  let text = "";
  for await (const event of client.streamTurn(sessionId, { message })) {
    if (event.type === "item.delta") text += event.data.delta;
  }
  return text;
}

const namesOf = async (client: SandboxAgent): Promise<string[]> =>
  (await client.listSessions()).sessions.map(({ sessionId }) => sessionId);

test("two at once both work, know nothing of each other and leave nothing behind", async () => {
  const home = temporaryHome();
  const clients = await Promise.all([start(home), start(home)]);
  await Promise.all(
    clients.map(async (client, index) => {
      await client.createSession("same-name", { agent: "mock", directory: home });
      expect(await say(client, "same-name", `echo I am ${index}`)).toContain(`I am ${index}`);
    }),
  );
  await Promise.all(clients.map((client) => client.dispose()));
  expect(readdirSync(home)).toEqual([]);
  expect(await namesOf(await start(home))).toEqual([]);
});

test("with a dataDir sessions survive dispose and start, and a second daemon there is refused with a sentence", async () => {
  const home = temporaryHome();
  const dataDir = join(home, "kept");
  const first = await start(home, { dataDir });
  await first.createSession("kept", { agent: "mock", directory: home });
  await say(first, "kept", "echo one");
  await expect(start(home, { dataDir })).rejects.toThrow(`${dataDir} is in use by the daemon with pid`);
  const { events } = await first.getEvents("kept");
  await first.dispose();

  const second = await start(home, { dataDir });
  expect((await second.getEvents("kept")).events).toEqual(events);
  expect(await say(second, "kept", "echo two")).toContain("two");
});

test("SANDBOX_AGENT_DATA_DIR of the environment keeps them too", async () => {
  const home = temporaryHome();
  const env = { SANDBOX_AGENT_DATA_DIR: join(home, "named") };
  const first = await start(home, { env });
  await first.createSession("kept", { agent: "mock", directory: home });
  await first.dispose();
  expect(existsSync(env.SANDBOX_AGENT_DATA_DIR)).toBe(true);
  expect(await namesOf(await start(home, { env }))).toEqual(["kept"]);
});
