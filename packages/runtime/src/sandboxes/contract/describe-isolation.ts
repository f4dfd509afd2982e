import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runProbe } from "./run-probe.ts";
import { accepts, type SandboxBench, until } from "./sandbox-bench.ts";

/** By a file system that nobody may write to, or by the rights of its user. */
const denied = expect.stringMatching(/^(EROFS|EACCES)$/) as unknown;

/** What starts the daemon and looks after it; this machine has many more. */
const mostProcesses = 30;

/** What is seen from inside. */
export function describeIsolation(bench: SandboxBench): void {
  test("the environment is what was given, and nothing of this process", async () => {
    process.env.SECRET_OF_THE_MACHINE = "do not tell";
    onTestFinished(() => void delete process.env.SECRET_OF_THE_MACHINE);
    const sandbox = await bench.create({ env: { GIVEN: "by the sandbox", BOTH: "sandbox" } });
    const { env, args, cwd, processes } = await runProbe(sandbox, {}, { BOTH: "start", TOKEN: "s3cret" });
    expect(env).toMatchObject({ GIVEN: "by the sandbox", BOTH: "start", TOKEN: "s3cret", HOME: sandbox.paths.home });
    expect(env).not.toHaveProperty("SECRET_OF_THE_MACHINE");
    expect([...args, ...processes].join(" ")).not.toContain("s3cret");
    expect(cwd).toBe(sandbox.paths.workspace);
    await sandbox.destroy();
  });

  test("home, workspace and data can be written to", async () => {
    const sandbox = await bench.create();
    const { home, workspace, data } = sandbox.paths;
    const { writable } = await runProbe(sandbox, { write: [home, workspace, data, "/tmp"] });
    expect(writable).toEqual(["ok", "ok", "ok", "ok"]);
    await sandbox.destroy();
  });

  test("programs are there, and under isolation cannot be changed", async () => {
    const { can, hasPrograms = false } = bench.current.provider;
    const programs = temporaryFolder();
    writeFileSync(join(programs, "tool"), "1");
    const sandbox = await bench.create({ programs });
    const inside = sandbox.paths.programs;
    const { readable, writable } = await runProbe(sandbox, { read: [`${inside}/tool`], write: [inside] });
    // Those that a sandbox brings itself are whatever its image has.
    expect(readable).toEqual([!hasPrograms]);
    if (can.isolation) expect(writable).toEqual([denied]);
    await sandbox.destroy();
  });

  test("where isolation is declared nothing of this machine is seen or changed", async () => {
    const { provider } = bench.current;
    const secret = join(temporaryFolder(), "secret.txt");
    writeFileSync(secret, "of the machine");
    const sandbox = await bench.create();
    const write = ["/", "/usr", "/etc", sandbox.paths.bundle];
    const probe = await runProbe(sandbox, { read: [secret, join(homedir(), ".ssh"), "/etc/shadow"], write });
    if (provider.can.isolation) {
      expect(probe.readable).toEqual([false, false, false]);
      expect(probe.writable).toEqual([denied, denied, denied, denied]);
      expect(probe.processes.join("\n")).not.toContain("vitest");
      expect(probe.processes.length).toBeLessThan(mostProcesses);
      expect(probe.uid).not.toBe(0);
      expect(probe.capabilities).toMatch(/^0+$/);
    } else {
      expect((await provider.check()).find(({ name }) => name === "isolation")?.ok).toBe(false);
    }
    await sandbox.destroy();
  });

  test("with the network off nothing is reached, and where it cannot be switched off that is said", async () => {
    const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const connect = (server.address() as AddressInfo).port;
    const { can } = bench.current.provider;
    if (!can.network) {
      const refused = expect.objectContaining({ name: "SandboxProviderError", code: "unavailable" });
      await expect(bench.create({ network: "off" })).rejects.toEqual(refused);
      return;
    }
    const sandbox = await bench.create({ network: "off" });
    expect((await runProbe(sandbox, { connect })).connection).not.toBe("ok");
    await until(async () => (await sandbox.status()).state === "failed");
    const { token } = await bench.startDaemon(sandbox);
    expect([await accepts(sandbox, token), await accepts(sandbox, "other")]).toEqual([true, false]);
    const found = await bench.current.attachElsewhere(sandbox.id);
    expect(found).toMatchObject({ state: "running", health: { status: "ok" } });
    await bench.current.killDaemon(sandbox);
    await until(async () => (await sandbox.status()).state === "failed");
    expect((await sandbox.status()).why).toContain("SIGKILL");
    await sandbox.destroy();
  });

  function temporaryFolder(): string {
    const folder = realpathSync(mkdtempSync(join(homedir(), ".sandbox-agent-suite-")));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }
}
