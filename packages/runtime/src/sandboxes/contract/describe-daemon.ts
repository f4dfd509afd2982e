import { expect, test } from "vitest";
import { accepts, daemonCommand, request, type SandboxBench, until, untilHealthy } from "./sandbox-bench.ts";

/** The daemon in it. */
export function describeDaemon(bench: SandboxBench): void {
  test("a daemon that runs is not started again", async () => {
    const { sandbox, token } = await bench.running();
    const { url } = await sandbox.endpoint();
    await sandbox.start(daemonCommand(sandbox), { SANDBOX_AGENT_TOKEN: "other" });
    expect((await sandbox.endpoint()).url).toBe(url);
    expect([await accepts(sandbox, token), await accepts(sandbox, "other")]).toEqual([true, false]);
    await sandbox.destroy();
  });

  test("of several who start it at once one does", async () => {
    const sandbox = await bench.create();
    const other = await bench.current.another().attach(sandbox.id);
    const tokens = ["first", "second", "third"];
    const start = (token: string, index: number) =>
      (index === 1 ? other! : sandbox).start(daemonCommand(sandbox), { SANDBOX_AGENT_TOKEN: token });
    await Promise.all(tokens.map(start));
    await untilHealthy(sandbox);
    const accepted = await Promise.all(tokens.map((token) => accepts(sandbox, token)));
    expect(accepted.filter(Boolean)).toHaveLength(1);
    await sandbox.destroy();
    expect(await bench.current.leftovers(sandbox.id)).toEqual([]);
  });

  test("two sandboxes at once have nothing to do with each other", async () => {
    const [first, second] = await Promise.all([bench.running(), bench.running()]);
    const path = "only-here.txt";
    await first.sandbox.write([{ path: `${first.sandbox.paths.workspace}/${path}`, data: Buffer.from("1") }]);
    expect(await accepts(first.sandbox, second.token)).toBe(false);
    const look = ({ sandbox, token }: typeof first) =>
      request(sandbox, `/v1/fs/file?path=${encodeURIComponent(`${sandbox.paths.workspace}/${path}`)}`, { token });
    expect((await look(first)).status).toBe(200);
    expect((await look(second)).status).toBe(404);
    await first.sandbox.destroy();
    expect(await accepts(second.sandbox, second.token)).toBe(true);
    await second.sandbox.destroy();
  });

  test("files that are written are there for the daemon", async () => {
    const { sandbox, token } = await bench.running();
    const data = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251);
    const { workspace, home } = sandbox.paths;
    const paths = [`${workspace}/deep/down/ä ü.bin`, `${home}/.config/tool.json`];
    await sandbox.write(paths.map((path) => ({ path, data, mode: 0o600 })));
    await sandbox.write([{ path: paths[0]!, data, mode: 0o755 }]);
    for (const path of paths) {
      const file = await request(sandbox, `/v1/fs/file?path=${encodeURIComponent(path)}`, { token });
      expect(Buffer.from(await file.arrayBuffer()).equals(data)).toBe(true);
    }
    await sandbox.destroy();
  });

  test("files are written nowhere else", async () => {
    const sandbox = await bench.create();
    const { workspace } = sandbox.paths;
    for (const path of ["/etc/probe", `${workspace}/../../probe`, workspace, "relative"]) {
      await expect(sandbox.write([{ path, data: Buffer.from("") }]), path).rejects.toThrow();
    }
    await sandbox.destroy();
  });

  test("what it starts ends with the sandbox, also what detached itself", async () => {
    const sandbox = await bench.create();
    const path = `${sandbox.paths.workspace}/detach.cjs`;
    const program = `require("node:child_process").spawn("sleep", ["1000"], { detached: true, stdio: "ignore" }).unref();
      console.error("detached"); setInterval(() => {}, 1000);`;
    await sandbox.write([{ path, data: Buffer.from(program) }]);
    await sandbox.start([path], {});
    await until(async () => (await sandbox.logs(1_000)).includes("detached"));
    await sandbox.destroy();
    expect(await bench.current.leftovers(sandbox.id)).toEqual([]);
  });
}
