/** Feared: a secret that leaks: into the log of requests, into an answer, into the environment of an agent. */
import { expect, test } from "vitest";
import { agentProcesses } from "../__fixtures__/agent-processes.ts";
import { Client } from "../__fixtures__/client.ts";
import { DaemonProcess } from "../__fixtures__/daemon-process.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { testToken } from "../__fixtures__/test-options.ts";

const wrong = "a-wrong-token-that-is-somebodys-right-one";
const cookie = "a-secret-in-a-cookie";

test("the request log shows what was asked and never with what secret", async () => {
  const daemon = await DaemonProcess.start({ dataDir: temporaryDirectory(), token: testToken, logLevel: "debug" });
  const stranger = new Client(daemon.url);
  const basic = Buffer.from(`me:${testToken}`).toString("base64");
  for (const headers of [
    { authorization: `Bearer ${testToken}` },
    { authorization: `Token ${testToken}` },
    { authorization: `Basic ${basic}` },
    { "x-sandbox-token": testToken },
    { authorization: `Bearer ${wrong}` },
    { "x-sandbox-token": wrong },
  ]) {
    await stranger.call("GET", "/v1/sessions", undefined, { ...headers, cookie } as Record<string, string>);
  }
  await daemon.client.create("s", { env: { MY_KEY: "a-secret-of-the-session" } });
  await daemon.client.turn("s", "echo x");
  expect(await daemon.stop()).toBe(0);
  const lines = daemon.stderr
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const requests = lines.filter(({ msg }) => msg === "request");
  expect(requests).toHaveLength(8);
  expect(requests[0]).toMatchObject({ method: "GET", url: "/v1/sessions", status: 200 });
  expect(requests.filter(({ status }) => status === 401)).toHaveLength(2);
  const headers = lines.filter(({ msg }) => msg === "request headers");
  expect(headers[0]?.headers.authorization).toBe("[Redacted]");
  for (const secret of [testToken, basic, wrong, cookie, "a-secret-of-the-session"]) {
    expect(daemon.stderr).not.toContain(secret);
  }
});

test("at level info headers are not logged at all, at silent nothing is", async () => {
  for (const logLevel of ["info", "silent"] as const) {
    const daemon = await DaemonProcess.start({ dataDir: temporaryDirectory(), logLevel });
    await daemon.client.call("GET", "/v1/sessions");
    await daemon.stop();
    expect(daemon.stderr.includes('"request"')).toBe(logLevel === "info");
    expect(daemon.stderr).not.toContain("headers");
  }
});

test("an agent gets the daemon's environment without its token, under whatever name, and its session's own", async () => {
  const dataDir = temporaryDirectory();
  const env = { SANDBOX_AGENT_TOKEN: testToken, ANOTHER_NAME: testToken, KEPT: "yes", SHADOWED: "by the daemon" };
  const { client } = await DaemonProcess.start({ dataDir, token: testToken, env });
  await client.create("s", { agent: "fake", env: { MINE: "yes", SHADOWED: "by the session" } });
  await client.create("other", { agent: "fake" });
  await client.turn("s", "hello");
  await client.turn("other", "hello");
  const environments = agentProcesses(dataDir).map(({ environment }) => environment);
  expect(environments).toHaveLength(2);
  for (const environment of environments) {
    expect(environment.KEPT).toBe("yes");
    expect(JSON.stringify(environment)).not.toContain(testToken);
    expect(environment).not.toHaveProperty("SANDBOX_AGENT_TOKEN");
  }
  const own = environments.filter(({ MINE }) => MINE === "yes");
  expect(own.map(({ SHADOWED }) => SHADOWED)).toEqual(["by the session"]);
});
