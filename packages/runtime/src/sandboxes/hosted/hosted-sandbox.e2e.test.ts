/** What machines have, lack and lose, with the real daemon in them. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { buildCli, cliBundle } from "../../../../../scripts/setup.mjs";
import { runProbe } from "../contract/run-probe.ts";
import { daemonCommand, untilHealthy } from "../contract/sandbox-bench.ts";
import { findBubblewrap } from "../local/bubblewrap.ts";
import type { Sandbox } from "../sandbox-provider.ts";
import { createMadeUpProvider } from "./__fixtures__/made-up-provider.ts";
import { type MachineKind, MadeUpService } from "./__fixtures__/made-up-service.ts";
import { imageBundle, imagePrograms } from "./hosted-layout.ts";
import type { HostedPrograms } from "./hosted-settings.ts";

const bundle = dirname(cliBundle);
const bubblewrap = findBubblewrap();
const missing = "problem" in bubblewrap ? ` (left out: ${bubblewrap.problem})` : "";

beforeAll(() => buildCli(), 300_000);

interface World {
  readonly kind?: MachineKind;
  readonly image?: NonNullable<Parameters<typeof MadeUpService.start>[1]>;
  readonly programs?: HostedPrograms;
}

function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "hosted-sandbox-")));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function world({ kind = { suspend: "disk", extend: true }, image, programs }: World = {}) {
  const service = await MadeUpService.start(kind, image);
  onTestFinished(() => service.close());
  const provider = createMadeUpProvider(service, folder(), programs);
  /** In a machine, by its shell. */
  const shell = async ({ id }: Sandbox, script: string) =>
    (await service.boxes.get(id)!.run(["sh", "-c", script])).stdout.trim();
  return { service, provider, shell };
}

async function startDaemon(sandbox: Sandbox): Promise<void> {
  await sandbox.start(daemonCommand(sandbox), { SANDBOX_AGENT_TOKEN: "token" });
  await untilHealthy(sandbox);
}

describe.skipIf(missing !== "")(`sandboxes in machines${missing}`, { timeout: 60_000 }, () => {
  // A Node is large.
  test("a machine without Node gets that of this one", { timeout: 180_000 }, async () => {
    const { provider, shell } = await world({ image: { without: ["node"] } });
    const sandbox = await provider.create({ labels: {}, bundle });
    await startDaemon(sandbox);
    const node = `${dirname(sandbox.paths.bundle)}/node/node`;
    expect(await shell(sandbox, `${node} --version`)).toBe(process.version);
  });

  test("a machine with Node gets none", async () => {
    const { provider, shell } = await world();
    const sandbox = await provider.create({ labels: {}, bundle });
    expect(await shell(sandbox, `ls ${dirname(sandbox.paths.bundle)}`)).not.toContain("node");
  });

  test("what an image has is used where it is, and nothing is brought in", async () => {
    const programs = folder();
    writeFileSync(join(programs, "tool"), "of the image");
    const image = { mounts: { [imageBundle]: bundle, [imagePrograms]: programs } };
    const { provider, shell, service } = await world({ image, programs: "image" });
    const sandbox = await provider.create({ labels: {}, bundle: "/nowhere", programs: "/nowhere" });
    await startDaemon(sandbox);
    expect(await shell(sandbox, `readlink ${sandbox.paths.bundle}`)).toBe(imageBundle);
    expect(await shell(sandbox, `cat ${sandbox.paths.data}/programs/tool`)).toBe("of the image");
    expect(JSON.stringify(service.requests)).not.toContain("upload");
  });

  test("an image that was to have the daemon and has not gets it", async () => {
    const { provider } = await world({ programs: "image" });
    await startDaemon(await provider.create({ labels: {}, bundle }));
  });

  test("the agents' programs are where the daemon looks for them", async () => {
    const programs = folder();
    mkdirSync(join(programs, "agent"));
    writeFileSync(join(programs, "agent", "program"), "of this machine");
    const { provider, shell } = await world();
    const sandbox = await provider.create({ labels: {}, bundle, programs });
    expect(await shell(sandbox, `cat ${sandbox.paths.data}/programs/agent/program`)).toBe("of this machine");
  });

  test("a machine in which nothing can be unpacked is destroyed, with a sentence", async () => {
    const { provider, service } = await world({ image: { without: ["tar"] } });
    await expect(provider.create({ labels: {}, bundle })).rejects.toThrow(/no tar and gzip/);
    expect([service.machines.size, service.boxes.size]).toEqual([0, 0]);
  });

  test("nothing of a start is left in its files, which nobody else can read", async () => {
    const { provider, shell } = await world();
    const sandbox = await provider.create({ labels: {}, bundle, env: { GIVEN: "it's given" } });
    const { env } = await runProbe(sandbox, {}, { SECRET: "s3cret" });
    expect(env).toMatchObject({ GIVEN: "it's given", SECRET: "s3cret" });
    const run = `${dirname(sandbox.paths.bundle)}/run`;
    expect(await shell(sandbox, `grep -rl s3cret ${run}/start-* ${run}/env ${run}/daemon.* ${run}/exit.*`)).toBe("");
    expect(await shell(sandbox, `ls ${run}`)).not.toContain("start-");
    expect(await shell(sandbox, `stat -c %a ${run} ${run}/env ${run}/control.sh`)).toBe("700\n600\n600");
  });

  test("a daemon that went with its machine's memory is told of, and started again", async () => {
    const { provider } = await world();
    const sandbox = await provider.create({ labels: {}, bundle });
    for (let life = 0; life < 2; life += 1) {
      await startDaemon(sandbox);
      await sandbox.suspend!();
      await sandbox.resume!();
      expect(await sandbox.status()).toMatchObject({
        state: "failed",
        why: expect.stringContaining("nobody saw its end"),
      });
    }
    await startDaemon(sandbox);
    expect((await sandbox.status()).state).toBe("running");
  });

  test("one whose supervisor was killed with it is started again, too", async () => {
    const { provider, service } = await world();
    const sandbox = await provider.create({ labels: {}, bundle });
    await startDaemon(sandbox);
    const isOfDaemon = (command: string) => /control\.sh|sandbox-agent\.cjs/.test(command);
    for (const { pid } of service.boxes
      .get(sandbox.id)!
      .processes()
      .filter((it) => isOfDaemon(it.command)))
      process.kill(pid, "SIGKILL");
    await expect.poll(async () => (await sandbox.status()).state).toBe("failed");
    await startDaemon(sandbox);
  });

  test("a start in one that is suspended wakes it; looking, reading its log and writing do not", async () => {
    const { provider } = await world();
    const sandbox = await provider.create({ labels: {}, bundle });
    await startDaemon(sandbox);
    await sandbox.suspend!();
    expect([(await sandbox.status()).state, await sandbox.logs(1_000)]).toEqual(["suspended", ""]);
    const write = sandbox.write([{ path: `${sandbox.paths.workspace}/file`, data: Buffer.from("1") }]);
    await expect(write).rejects.toMatchObject({ code: "stopped" });
    await expect(sandbox.endpoint()).rejects.toMatchObject({ code: "stopped" });
    await startDaemon(sandbox);
  });
});
