import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseScript } from "@sandbox-agent-ts/testing/model";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SharedEnd } from "../../../daemon/src/__fixtures__/at-end.ts";
import { CliHome } from "../__fixtures__/cli-home.ts";

let home: CliHome;
const shared = new SharedEnd();
beforeAll(async () => {
  home = await CliHome.create(shared.atEnd);
});
afterAll(() => shared.undoAll());

function scriptFile(name: string, script: unknown): string {
  const path = join(home.path, name);
  writeFileSync(path, JSON.stringify(script));
  return path;
}

it("serves a script, tells how to reach it and logs each request", async () => {
  const file = scriptFile("script.json", [{ text: "Hello from a file." }]);
  const child = home.spawn("testing", "model", "--script", file, "--host", "localhost");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const untilLine = async (pattern: RegExp): Promise<string> => {
    for (let line = await lines.next(); !line.done; line = await lines.next()) {
      const match = pattern.exec(line.value);
      if (match) return match[1] ?? match[0];
    }
    throw new Error(`no line with ${pattern}`);
  };
  const url = await untilLine(/^Scripted model at (http:\/\/localhost:\d+);/);
  await untilLine(/^ANTHROPIC_BASE_URL=http:\/\/localhost:/);
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] });
  const reply = await fetch(`${url}/v1/messages`, { method: "POST", body });
  expect(await reply.text()).toContain("Hello from a file.");
  expect(await untilLine(/^0 anthropic .*/)).toBe('0 anthropic m "hi" → steps[0]');
});

it("says so when the port is taken", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const file = scriptFile("any.json", [{ text: "a" }]);
  const { code, stderr } = await home.run(["testing", "model", "--script", file, "--port", String(port)]);
  taken.close();
  expect(code).toBe(2);
  expect(stderr).toContain(`Cannot listen on 127.0.0.1:${port} (EADDRINUSE)`);
});

it("says so when the address is another machine's", async () => {
  const file = scriptFile("elsewhere.json", [{ text: "a" }]);
  const { code, stderr } = await home.run(["testing", "model", "--script", file, "--host", "192.0.2.77"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("Name an address of this machine.")]);
});

it("says where a script is wrong", async () => {
  const { code, stderr } = await home.run(["testing", "model", "-s", scriptFile("bad.json", [{ txet: "a" }])]);
  expect(code).toBe(2);
  expect(stderr).toContain('bad.json: The model script is wrong:\n  [0]: Unrecognized key: "txet"');
});

it("teaches with an example", async () => {
  const { code, stdout } = await home.run(["testing", "model", "--help"]);
  expect(code).toBe(0);
  const example = /\{\n.*\n {2}\}/s.exec(stdout)?.[0] ?? "";
  expect(parseScript(JSON.parse(example)).conversations).toHaveLength(2);
});
