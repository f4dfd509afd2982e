/**
 * Feared: a daemon that is restarted locks everybody out. The README promises that whoever follows a session reads on
 * after `kill -9`; a person who never saw the token must not need it.
 */
import { once } from "node:events";
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { CliHome, jsonLines } from "../__fixtures__/cli-home.ts";
import { describeInTerminal } from "../__fixtures__/in-terminal.ts";

let home: CliHome;

beforeEach(async () => {
  home = await CliHome.create();
});

/** A server that the CLI has to find by itself. */
async function startServer(...flags: string[]) {
  const started = await home.startServer(...flags);
  delete home.env.SANDBOX_AGENT_ENDPOINT;
  return { ...started, token: /Token\s+(\S+)/.exec(started.banner)?.[1] };
}

async function kill({ server }: { server: ReturnType<CliHome["spawn"]> }): Promise<void> {
  const gone = once(server, "exit");
  server.kill("SIGKILL");
  await gone;
}

describe("the generated token", () => {
  it("is kept in the data directory for the next start, of server and of daemon start", async () => {
    const first = await startServer();
    await kill(first);
    const second = await startServer();
    expect(second.token).toBe(first.token);
    expect(statSync(join(home.dataDir, "token")).mode & 0o777).toBe(0o600);
    await kill(second);
    const { inspector } = await home.json<{ inspector: string }>("daemon", "start", "--port", "0", "--json");
    expect(inspector).toContain(`#token=${first.token}`);
  });

  it("is not the one that was given, nor that of a server without a data directory", async () => {
    const { token: generated, ...first } = await startServer();
    await kill(first);
    await kill(await startServer("--token", "given"));
    expect(readFileSync(join(home.dataDir, "token"), "utf8")).toBe(`${generated}\n`);
    const { token } = await startServer("--ephemeral");
    expect(token).not.toBe(generated);
  });
});

describe("the CLI", () => {
  it("finds the daemon of the data directory, wherever it listens", async () => {
    const { url } = await startServer();
    expect((await home.run(["sessions", "list"])).code).toBe(0);
    const { stderr } = await home.run(["sessions", "list", "--verbose"]);
    expect(stderr).toBe(`The daemon is ${url} (data directory ${home.dataDir}).\n`);
    const dataDir = home.env.SANDBOX_AGENT_DATA_DIR!;
    home.env.SANDBOX_AGENT_DATA_DIR = join(home.path, "elsewhere");
    expect((await home.run(["sessions", "list", "--data-dir", dataDir])).code).toBe(0);
  });

  it.each([
    ["on another port", false],
    ["on another port with another token", true],
  ])("goes on following a session when its daemon is killed and comes back %s", async (_, isNewToken) => {
    const first = await startServer();
    await home.json("sessions", "create", "followed", "--agent", "mock");
    const follower = home.spawn("sessions", "events-sse", "followed");
    const types: string[] = [];
    const untilTurns = async (count: number): Promise<void> => {
      while (types.filter((type) => type === "turn.ended").length < count) {
        const { value, done } = await events.next();
        if (done) throw new Error(`The follower ended after ${types.join(" ")}`);
        types.push(value.type);
      }
    };
    const events = jsonLines(follower.stdout);
    await home.json("sessions", "send-message", "followed", "echo one");
    await untilTurns(1);
    await kill(first);
    if (isNewToken) rmSync(join(home.dataDir, "token"));
    const second = await startServer();
    expect(second.url).not.toBe(first.url);
    expect(second.token === first.token).toBe(!isNewToken);
    await home.json("sessions", "send-message", "followed", "echo two");
    await untilTurns(2);
  });

  it("takes 401 for what it is: the daemon wants another token", async () => {
    const { url } = await startServer("--token", "given");
    const { code, stderr } = await home.run(["sessions", "list"]);
    expect([code, JSON.parse(stderr)]).toEqual([1, expect.objectContaining({ status: 401 })]);
    expect((await home.run(["sessions", "list", "--token", "given"])).code).toBe(0);
    expect((await home.run(["sessions", "list", "--token", "given", "--endpoint", url])).code).toBe(0);
  });
});

describeInTerminal("in a terminal", () => {
  it("a daemon that wants a token is told from one that is away, in the words of the command line", async () => {
    const { url } = await startServer("--token", "given");
    const { text } = await home.terminal(["sessions", "list"]).end();
    expect(text).toContain("This daemon needs a token. Pass it with --token, or as SANDBOX_AGENT_TOKEN.");
    expect(text).toContain(`The daemon is ${url} (data directory ${home.dataDir}).`);
  });

  it("a port that is taken is one sentence, of server and of daemon start", async () => {
    const { url } = await startServer();
    const other = await CliHome.create();
    const { port } = new URL(url);
    const sentence = `Port ${port} on 127.0.0.1 is taken. Stop what uses it or choose another with --port.`;
    expect(await other.terminal(["server", "--port", port]).end()).toMatchObject({
      code: 1,
      text: `Error: ${sentence}\n`,
    });
    const { code, text } = await other.terminal(["daemon", "start", "--port", port]).end();
    expect([code, text.trim().split(/\s+/).join(" ")]).toEqual([1, `Error: The daemon did not start. ${sentence}`]);
  });

  it("the server logs text that can be read, not the asking for its health; JSON where it is wanted", async () => {
    const server = home.terminal(["server", "--port", "0"]);
    const [, url] = /URL\s+(\S+)/.exec(await server.until("Try: curl"))!;
    await fetch(`${url}/v1/health`);
    await fetch(`${url}/v1/agents?token=secret`);
    const text = await server.until("/v1/agents?");
    expect(text).toMatch(/^\d\d:\d\d:\d\d info {2}GET \/v1\/agents\?token=… 401 \d+ ms$/m);
    expect(text).not.toContain("/v1/health");
    server.type("\x03");
    expect(await server.exited).toBe(0);
    const json = home.terminal(["server", "--port", "0", "--log-format", "json"]);
    const [, again] = /URL\s+(\S+)/.exec(await json.until("Try: curl"))!;
    await fetch(`${again}/v1/agents`);
    expect(await json.until('/v1/agents",')).toContain('"level":30');
  });
});

describe("start scripts of 0.1.11", () => {
  it("may say --no-telemetry and --log-to-file", async () => {
    const { url } = await startServer("--no-telemetry", "--log-to-file");
    expect((await fetch(`${url}/v1/health`)).status).toBe(200);
  });
});
