/** Feared: a service that cannot be found by what was printed, and machines that are left when it has ended. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SharedEnd } from "../../../daemon/src/__fixtures__/at-end.ts";
import { CliHome } from "../__fixtures__/cli-home.ts";

let home: CliHome;
const shared = new SharedEnd();
beforeAll(async () => {
  home = await CliHome.create(shared.atEnd);
});
afterAll(() => shared.undoAll());

const isMissing = spawnSync("bwrap", ["--version"]).error !== undefined;
const missing = isMissing ? " (left out: bubblewrap is not installed)" : "";

interface Facts {
  readonly provider: string;
  readonly providerSettings: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}

it("lists the services that there are", async () => {
  const listed = await home.json<{ name: string; summary: string }[]>("testing", "provider", "--json");
  expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(["e2b", "modal"]));
  const { code, stderr } = await home.run(["testing", "provider", "e3b"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('There is no service "e3b". Name one of these: ')]);
});

it("says which options are wrong", async () => {
  const refused = async (...options: string[]) => (await home.run(["testing", "provider", "e2b", ...options])).stderr;
  expect(await refused("--mount", "/opt/x=/no/such/folder")).toContain(
    "--mount: there is no directory /no/such/folder.",
  );
  expect(await refused("--mount", "opt=/tmp")).toContain("Write it as /place/inside=directory.");
  expect(await refused("--reachable", "model")).toContain("It is no port.");
});

describe.skipIf(isMissing)(`a service${missing}`, () => {
  it.each(["SIGTERM", "SIGINT"] as const)("is found by what it prints, and leaves nothing after %s", async (signal) => {
    const folders = () => readdirSync(home.path).filter((name) => name.startsWith("sandbox-agent-boxes-"));
    const child = home.spawnWith({ TMPDIR: home.path }, "testing", "provider", "e2b", "--json");
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    const { provider, providerSettings, env } = JSON.parse(line) as Facts;
    expect([provider, env.E2B_API_URL]).toEqual(["e2b", providerSettings.apiUrl]);
    const made = await fetch(`${env.E2B_API_URL}/v2/sandboxes`, {
      method: "POST",
      headers: { "x-api-key": env.E2B_API_KEY!, "content-type": "application/json" },
      body: JSON.stringify({ templateID: "base" }),
    });
    expect(made.status).toBe(201);
    const places = placesBelow(child.pid!);
    expect([places.length, folders().length]).toEqual([expect.toSatisfy((count) => count >= 4), 1]);
    child.kill(signal);
    const [code] = (await once(child, "exit")) as [number];
    expect([code, places.filter(existsSync), folders()]).toEqual([0, [], []]);
  });

  it("tells people how to use it, and each request", async () => {
    const child = home.spawn("testing", "provider", "e2b");
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const untilLine = async (pattern: RegExp): Promise<string> => {
      for (let line = await lines.next(); !line.done; line = await lines.next()) {
        const match = pattern.exec(line.value);
        if (match) return match[1] ?? match[0];
      }
      throw new Error(`no line with ${pattern}`);
    };
    await untilLine(/Ctrl-C ends it/);
    const url = await untilLine(/^export E2B_API_URL=(.*)/);
    await untilLine(/^ {2}"providerSettings": \{/);
    await fetch(`${url}/v2/sandboxes`);
    expect(await untilLine(/^GET .*/)).toBe("GET /v2/sandboxes");
  });

  it("says so when the port is taken", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const { code, stderr } = await home.run(["testing", "provider", "e2b", "--port", String(port)]);
    taken.close();
    expect(code).toBe(2);
    expect(stderr).toContain(`Cannot listen on 127.0.0.1:${port} (EADDRINUSE). Name another port`);
  });
});

/** The processes that a process has started, all below them too. */
function placesBelow(pid: number): string[] {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" });
  const rows = stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const below = (of: number): number[] =>
    rows.filter(([, parent]) => parent === of).flatMap(([child]) => [child!, ...below(child!)]);
  return below(pid).map((each) => `/proc/${each}`);
}
