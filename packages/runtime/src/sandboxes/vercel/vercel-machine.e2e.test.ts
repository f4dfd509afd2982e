/** One machine at a service that speaks Vercel's protocol, by Vercel's own SDK. */
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startVercelService, type VercelService } from "../../../../testing/src/providers/vercel/vercel-service.ts";
import type { SandboxSpec } from "../sandbox-provider.ts";
import { checkVercel } from "./check-vercel.ts";
import { cpusOf, createMachine } from "./create-machine.ts";
import { VercelClient } from "./vercel-client.ts";
import { VercelMachine } from "./vercel-machine.ts";
import { readVercelSettings } from "./vercel-settings.ts";

let service: VercelService;
beforeAll(async () => {
  service = await startVercelService();
});
afterAll(() => service.close());

const codeOf = (code: string) => expect.objectContaining({ name: "SandboxProviderError", code });
const daytime = 24 * 60 * 60_000;

async function make(spec: Partial<SandboxSpec> = {}, changes: Readonly<Record<string, unknown>> = {}) {
  const settings = readVercelSettings({ ...service.settings, ...changes });
  const client = new VercelClient(settings);
  const machine = await createMachine({ labels: { of: "test" }, bundle: "/nowhere", ...spec }, { client, settings });
  onTestFinished(() => machine.destroy());
  const another = () => new VercelMachine(machine.id, new VercelClient(settings));
  return { machine, client, settings, another };
}

/** What was asked of the service since. */
function asked(from: number): string[] {
  return service.requests.slice(from).map(({ method, path }) => `${method} ${path.split("?")[0]}`);
}

test("a command's output and exit code are told apart, and one that takes too long is ended", async () => {
  const { machine } = await make();
  const script = "echo out; echo 'ä ü' >&2; exit 3";
  expect(await machine.run(["sh", "-c", script])).toEqual({ code: 3, stdout: "out\n", stderr: "ä ü\n" });
  expect(await machine.run(["printf", "%s", "$HOME 'x' \"y\""])).toMatchObject({ stdout: "$HOME 'x' \"y\"" });
  await expect(machine.run(["sleep", "100"], { timeoutMs: 300 })).rejects.toEqual(codeOf("timeout"));
  const sleeps = () =>
    service.boxes
      .get(machine.id)!
      .processes()
      .filter(({ command }) => command === "sleep 100");
  await expect.poll(sleeps, { timeout: 10_000 }).toEqual([]);
});

test("files keep their modes and replace what is there, also with many bytes", async () => {
  const { machine } = await make();
  const path = "/vercel/sandbox/deep/down/ä ü.bin";
  const data = Buffer.alloc(3_000_000, "0123456789");
  await machine.write([{ path, data: Buffer.from("first"), mode: 0o600 }]);
  await machine.write([
    { path, data, mode: 0o755 },
    { path: `${path}.txt`, data: Buffer.from("x") },
  ]);
  const { stdout } = await machine.run(["stat", "-c", "%a %s", path, `${path}.txt`]);
  expect(stdout).toBe(`755 ${data.length}\n644 1\n`);
});

test("who looks at a stopped one, or uses it, does not wake it", async () => {
  const { machine, another } = await make();
  await machine.suspend();
  await machine.suspend();
  expect(await another().status()).toEqual({ state: "suspended" });
  for (const use of [
    (it: VercelMachine) => it.run(["true"]),
    (it: VercelMachine) => it.launch(["true"]),
    (it: VercelMachine) => it.write([{ path: "/vercel/sandbox/x", data: Buffer.from("x") }]),
    (it: VercelMachine) => it.endpoint(2468),
    (it: VercelMachine) => it.extend(60_000),
  ])
    for (const it of [machine, another()]) await expect(use(it)).rejects.toEqual(codeOf("stopped"));
  expect(service.ledger.running).toEqual([]);
});

test("the session that somebody else began is used, and the address that it has", async () => {
  const { machine, another } = await make();
  await machine.write([{ path: "/vercel/sandbox/kept", data: Buffer.from("kept") }]);
  const { url } = await machine.endpoint(2468);
  const other = another();
  await other.suspend();
  await other.resume();
  await other.resume();
  expect(await machine.run(["cat", "/vercel/sandbox/kept"])).toMatchObject({ code: 0, stdout: "kept" });
  expect((await machine.endpoint(2468)).url).not.toBe(url);
  await expect(machine.endpoint(80)).rejects.toThrow(/Port 80 .*not open/);
});

test("of all stops one snapshot is kept, and none when it is destroyed", async () => {
  const { machine } = await make();
  for (let count = 0; count < 3; count += 1) {
    await machine.suspend();
    expect(service.snapshots.filter(({ sandbox }) => sandbox === machine.id)).toHaveLength(1);
    await machine.resume();
  }
  await machine.suspend();
  await Promise.all([machine.destroy(), machine.destroy()]);
  await machine.destroy();
  expect(service.snapshots).toEqual([]);
  expect(await machine.status()).toMatchObject({ state: "gone" });
  await expect(machine.run(["true"])).rejects.toEqual(codeOf("not_found"));
  await machine.resume();
});

test("one of which nothing is kept any more is gone, and not paid for", async () => {
  const { machine } = await make();
  await machine.suspend();
  service.forgetSnapshots(machine.id);
  await machine.resume();
  expect(await machine.status()).toMatchObject({ state: "gone" });
  expect(service.ledger.alive).toEqual([]);
});

test("its end is put off from now on, never made earlier, and not beyond what Vercel allows", async () => {
  const { machine } = await make({ lifeMs: 10 * 60_000 });
  const left = async () => Math.round(((await machine.status()).expiresAt! - Date.now()) / 60_000);
  await machine.extend(60_000);
  expect(await left()).toBe(10);
  await machine.extend(30 * 60_000);
  expect(await left()).toBe(30);
  await expect(machine.extend(2 * daytime)).rejects.toThrow(/longer than 24 hours.*45 minutes.*Hobby/);
});

test("a creation is not tried twice by the SDK, and made once whatever was answered", async () => {
  const from = service.requests.length;
  service.faults.plan({ call: "create", fault: { kind: "lost-answer", status: 503 } });
  service.faults.plan({ call: "create", fault: { kind: "status", status: 503 } });
  const { machine } = await make();
  expect(service.faults.happened).toEqual(["lost-answer"]);
  expect(asked(from)).toEqual(["POST /v3/sandboxes", `GET /v2/sandboxes/${machine.id}`]);
  expect(service.ledger.alive).toHaveLength(1);
  service.faults.clear();
});

test("what is refused for the moment is tried again, and a command that may have run is not", async () => {
  const { machine } = await make();
  const path = "/vercel/sandbox/count";
  const count = () => machine.run(["sh", "-c", `echo one >>${path}; wc -l <${path}`]);
  service.faults.plan({ call: "run", fault: { kind: "status", status: 429, retryAfterSeconds: 1 } });
  expect((await count()).stdout.trim()).toBe("1");
  service.faults.plan({ call: "run", fault: { kind: "lost-answer", status: 503 } });
  await expect(count()).rejects.toEqual(codeOf("unavailable"));
  await expect.poll(async () => Number((await count()).stdout)).toBeGreaterThan(2);
  service.faults.plan({ call: "write", fault: { kind: "lost-answer", status: 503 } });
  await machine.write([{ path, data: Buffer.from("") }]);
  expect((await count()).stdout.trim()).toBe("1");
});

test("it is made of what is named, in Vercel's sizes, and what there is not is said", async () => {
  expect([cpusOf({}), cpusOf({ cpus: 1 }), cpusOf({ cpus: 3 }), cpusOf({ memoryMiB: 5_000 })]).toEqual([
    undefined,
    2,
    4,
    4,
  ]);
  const from = service.requests.length;
  const { machine } = await make({ cpus: 3, network: "off" }, { image: "snapshot:snap_sandbox_agent", region: "fra1" });
  expect(JSON.parse(service.requests[from]!.body)).toMatchObject({
    name: machine.id,
    ports: [2468],
    persistent: true,
    region: "fra1",
    source: { type: "snapshot", snapshotId: "snap_sandbox_agent" },
    resources: { vcpus: 4 },
    networkPolicy: { mode: "deny-all" },
  });
  await expect(make({ image: "snapshot:other" })).rejects.toThrow("no such snapshot");
  await expect(make({ image: "other" })).rejects.toThrow("Image other was not found");
});

test("the account is looked at by asking for nothing", async () => {
  const { settings } = await make();
  const check = async (token: string) => {
    const changed = { ...settings, account: { ...settings.account, token } };
    return (await checkVercel(new VercelClient(changed), changed)).find(({ name }) => name === "account");
  };
  expect(await check(settings.account.token)).toMatchObject({ ok: true });
  expect(await check("other")).toMatchObject({ ok: false, detail: expect.stringContaining("VERCEL_TOKEN") });
});
