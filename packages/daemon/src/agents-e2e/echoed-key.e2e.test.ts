/** Feared: a model service that repeats the key it was given, and the key is in the log for all who may read that. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ModelScript } from "@sandbox-agent-ts/agents/contract";
import { expect, onTestFinished, test } from "vitest";
import { agentText, session } from "../__fixtures__/client.ts";
import { DaemonProcess } from "../__fixtures__/daemon-process.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { AGENT_TIMEOUT_MS } from "./__fixtures__/agent-test.ts";
import { programOf } from "./__fixtures__/agent-world.ts";
import { agentsUnderTest } from "./__fixtures__/scenarios.ts";

const key = "sk-echoed/0123456789-abcdef";
const ofSession = "of-this-session-0123456789";
const token = "token-of-the-daemon-0123456789";

const script: ModelScript = {
  conversations: [
    {
      name: "refused",
      when: { prompt: "begin the work" },
      steps: [{ error: { status: 401, message: `Incorrect API key provided: ${key}.` }, repeat: "forever" }],
    },
    {
      name: "talkative",
      when: { prompt: "which key" },
      steps: [{ text: ["It is sk-ec", "hoed/01234", `56789-abcdef and ${ofSession}`, "."] }],
    },
  ],
};

const agents = await agentsUnderTest();

test.each(["codex", "opencode", "gemini"])(
  "%s: no secret is in events, payloads, logs, problems and arguments",
  { timeout: AGENT_TIMEOUT_MS },
  async (id) => {
    const { adapter, scenario } = agents.find((agent) => agent.adapter.id === id)!;
    const root = temporaryDirectory();
    const [home, dataDir, directory] = ["home", "data", "work"].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ];
    for (const path of [home, dataDir, directory]) mkdirSync(path);
    const prepared = (await scenario.prepare?.({ home, script })) ?? {};
    onTestFinished(async () => prepared.dispose?.());
    const env = Object.fromEntries(
      Object.entries(prepared.env ?? {}).map(([name, value]) => [name, withKey(name, value)]),
    );
    const daemon = await DaemonProcess.start({
      dataDir,
      token,
      logLevel: "debug",
      env: { HOME: home, ...env, ...(await programOf(adapter)) },
    });
    const { client } = daemon;
    await client.create("s", { agent: id, directory, env: { MY_SECRET: ofSession }, ...prepared.session });
    const refused = await client.turn("s", "begin the work");
    expect(JSON.stringify(refused)).toContain("[redacted]");
    expect(agentText(await client.turn("s", "which key"))).toBe("It is [redacted] and [redacted].");
    const places = {
      events: JSON.stringify(await client.soundLog("s")),
      raw: (await client.call("GET", `${session("s")}/events?includeRaw=true`)).text,
      sessions: (await client.call("GET", "/v1/sessions")).text,
      models: (await client.call("GET", `/v1/agents/${id}/models`)).text,
      arguments: argumentsOfOthers(daemon.pid),
    };
    await daemon.stop();
    const files = Object.fromEntries(logFiles(dataDir).map((path) => [path, readFileSync(path, "utf8")]));
    expect(Object.keys(files).length).toBeGreaterThan(0);
    for (const [place, text] of Object.entries({ ...places, ...files, log: daemon.stderr })) {
      for (const secret of [key, "0123456789-abcdef", ofSession, token]) {
        expect(text.includes(secret), `${secret} in ${place}`).toBe(false);
      }
    }
  },
);

/** Not those of the daemon: the tests give it its options there. */
function argumentsOfOthers(daemon: number): string {
  const processes = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" }).split("\n");
  return processes.filter((line) => Number.parseInt(line, 10) !== daemon).join("\n");
}

/** The scenarios use a word for a key. */
function withKey(name: string, value: string): string {
  return name.endsWith("_KEY")
    ? key
    : value.replaceAll('"apiKey":"scripted"', JSON.stringify({ apiKey: key }).slice(1, -1));
}

/** `session.json` is left out: it has the session's environment, with which the session goes on after a restart. */
function logFiles(dataDir: string): string[] {
  const names = ["events.jsonl", "raw.jsonl", "turns.jsonl", "checkpoint.json", "memory.json"];
  return readdirSync(dataDir, { recursive: true, encoding: "utf8" })
    .filter((path) => path.startsWith("sessions") && names.some((name) => path.endsWith(name)))
    .map((path) => join(dataDir, path));
}
