import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { CliHome } from "../__fixtures__/cli-home.ts";
import { describeInTerminal } from "../__fixtures__/in-terminal.ts";
import type { Check } from "./check.ts";

async function checksOf(home: CliHome, ...flags: string[]): Promise<{ code: number | null; checks: Check[] }> {
  const { code, stdout } = await home.run(["doctor", "--json", ...flags]);
  return { code, checks: (JSON.parse(stdout) as { checks: Check[] }).checks };
}

const find = (checks: readonly Check[], name: string) => checks.find((check) => check.name === name);

describe("doctor", () => {
  it("says on a fresh machine that everything is fine, and how to sign in", async () => {
    const { checks } = await checksOf(await CliHome.create(), "--offline");
    for (const name of ["Node", "data directory", "disk", "token"]) expect(find(checks, name)?.state).toBe("ok");
    expect(find(checks, "mock")).toMatchObject({ state: "ok", found: "built in" });
    expect(find(checks, "claude")).toMatchObject({
      found: "not installed, not signed in",
      advice: expect.stringContaining("sandbox-agent login claude"),
    });
    expect(find(checks, "package registry")).toBeUndefined();
  });

  it("finds the daemon that runs", async () => {
    const home = await CliHome.create();
    const { url } = await home.startServer();
    const { code, checks } = await checksOf(home, "--offline");
    expect(code).toBe(0);
    expect(find(checks, "daemon")).toMatchObject({ state: "ok", found: expect.stringContaining(url) });
  });

  it("never prints a key, and knows that there is one", async () => {
    const home = await CliHome.create();
    home.env.ANTHROPIC_API_KEY = "sk-secret-key";
    const { stdout } = await home.run(["doctor", "--json", "--offline"]);
    expect(stdout).not.toContain("sk-secret-key");
    const { checks } = JSON.parse(stdout) as { checks: Check[] };
    expect(find(checks, "claude")?.found).toBe("signed in (env ANTHROPIC_API_KEY), not installed yet");
  });

  it("tells a registry that cannot be reached, within its limit", async () => {
    const home = await CliHome.create();
    home.env.SANDBOX_AGENT_NPM_REGISTRY = "http://127.0.0.1:9";
    const { checks } = await checksOf(home);
    expect(find(checks, "package registry")).toMatchObject({
      state: "warning",
      found: expect.stringContaining("127.0.0.1:9 cannot be reached: ECONNREFUSED"),
    });
  });

  it("tells a registry that can be reached, and whose encryption cannot be trusted", async () => {
    const plain = createHttpServer().listen(0, "127.0.0.1");
    await once(plain, "listening");
    onTestFinished(() => void plain.close());
    const home = await CliHome.create();
    home.env.SANDBOX_AGENT_NPM_REGISTRY = `https://127.0.0.1:${(plain.address() as AddressInfo).port}`;
    const { checks } = await checksOf(home);
    expect(find(checks, "package registry")).toMatchObject({
      state: "warning",
      found: expect.stringMatching(/cannot be reached: .*SSL/),
      advice: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
    });
  });

  it("fails when the data directory is a file", async () => {
    const home = await CliHome.create();
    mkdirSync(home.path, { recursive: true });
    writeFileSync(join(home.path, "file"), "");
    const { code, checks } = await checksOf(home, "--offline", "--data-dir", join(home.path, "file"));
    expect(code).toBe(1);
    expect(find(checks, "data directory")).toMatchObject({
      state: "problem",
      advice: expect.stringContaining("--data-dir"),
    });
  });

  it("fails when another program has the port, and says what to do", async () => {
    const other = createServer();
    // Where somebody else has it already, that will do.
    await new Promise<void>((resolve) => {
      other.once("error", () => resolve()).listen(2468, "127.0.0.1", () => resolve());
    });
    onTestFinished(() => void other.close());
    const { code, checks } = await checksOf(await CliHome.create(), "--offline");
    expect(code).toBe(1);
    expect(find(checks, "port")).toMatchObject({ state: "problem", advice: expect.stringContaining("--port 0") });
  });
});

describeInTerminal("doctor in a terminal", () => {
  it("is a list that can be read", async () => {
    const home = await CliHome.create();
    const { text } = await home.terminal(["doctor", "--offline"]).end();
    expect(text).toMatch(/✓ Node +v\d+/);
    expect(text).toMatch(/✓ mock +built in/);
  });

  it("has lines that fit, and advice that goes on below itself", async () => {
    const home = await CliHome.create();
    const { text } = await home.terminal(["doctor", "--offline"], { columns: 80 }).end();
    const lines = text.split("\n").filter((line) => !line.includes(home.path));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(text).toMatch(/\n {19}`sandbox-agent install-agent claude`, or the first session,\n {19}installs it\. Run/);
  });
});
