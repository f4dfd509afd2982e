/** Feared: what Daytona does otherwise than other services, and what its SDK leaves to whoever uses it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDaytonaService } from "../../../../testing/src/providers/daytona/daytona-service.ts";
import type { ProviderService } from "../../../../testing/src/providers/provider-service.ts";
import { createMachine } from "./create-machine.ts";
import { DaytonaClient } from "./daytona-client.ts";
import type { DaytonaMachine } from "./daytona-machine.ts";
import { readDaytonaSettings } from "./daytona-settings.ts";

let service: ProviderService;
let client: DaytonaClient;

beforeAll(async () => {
  service = await startDaytonaService();
  client = new DaytonaClient(readDaytonaSettings(service.settings));
});

afterAll(async () => {
  await client?.close();
  await service?.close();
});

const create = (spec = {}, more = {}): Promise<DaytonaMachine> => {
  const settings = readDaytonaSettings({ ...service.settings, ...more });
  return createMachine({ labels: { of: "machine" }, bundle: "/nowhere", ...spec }, { client, settings });
};
const codeOf = (code: string) => expect.objectContaining({ name: "SandboxProviderError", code });
const bodyOf = (path: string) => service.requests.findLast((request) => request.path === path)?.body ?? "{}";

test("what a command says to each of its outputs is told apart", async () => {
  const machine = await create();
  const script = 'printf "a\\nb"; printf "c" >&2; read line; echo "read $?" >&2; exit 7';
  expect(await machine.run(["sh", "-c", script])).toEqual({ code: 7, stdout: "a\nb", stderr: "cread 1\n" });
  expect(await machine.run(["printf", "%s", "it's $HOME\n"])).toMatchObject({ code: 0, stdout: "it's $HOME\n" });
  expect(await machine.run(["no-such-program"])).toMatchObject({
    code: 127,
    stderr: expect.stringContaining("not found"),
  });
  await expect(machine.run(["sleep", "60"], { timeoutMs: 500 })).rejects.toEqual(codeOf("timeout"));
  await machine.destroy();
});

test("what is launched goes on, and nobody waits for it", async () => {
  const machine = await create();
  await machine.launch(["sh", "-c", "echo begun >/tmp/mark; exec sleep 1000"]);
  await expect.poll(async () => (await machine.run(["cat", "/tmp/mark"])).stdout).toBe("begun\n");
  await expect(machine.run(["sleep", "60"], { timeoutMs: 100 })).rejects.toEqual(codeOf("timeout"));
  const commands = service.boxes
    .get(machine.id)!
    .processes()
    .map(({ command }) => command);
  expect(commands).toContain("sleep 1000");
  await machine.destroy();
});

test("files have the mode they are to have, also those that nobody may write", async () => {
  const machine = await create();
  const file = (path: string, text: string, mode?: number) => ({
    path: `/tmp/new dir/${path}`,
    data: Buffer.from(text),
    mode,
  });
  await machine.write([
    file("plain", "1"),
    file("it's secret", "2", 0o600),
    file("run", "3", 0o755),
    file("fixed", "4", 0o400),
  ]);
  await machine.write([file("it's secret", "5", 0o600), file("fixed", "6", 0o444)]);
  const { stdout } = await machine.run([
    "sh",
    "-c",
    'cd "/tmp/new dir"; for f in *; do echo "$f $(stat -c %a "$f") $(cat "$f")"; done',
  ]);
  expect(stdout.trim().split("\n")).toEqual(["fixed 444 6", "it's secret 600 5", "plain 644 1", "run 755 3"]);
  await machine.destroy();
});

test("one that was stopped and one that is gone are told from a wrong key", async () => {
  const machine = await create();
  await machine.suspend();
  await machine.suspend();
  expect(await machine.status()).toEqual({ state: "suspended" });
  await expect(machine.run(["true"])).rejects.toEqual(codeOf("stopped"));
  await expect(machine.endpoint(1)).rejects.toEqual(codeOf("stopped"));
  await expect(machine.extend(60_000)).rejects.toEqual(codeOf("stopped"));
  expect(await machine.status()).toEqual({ state: "suspended" });
  await machine.resume();
  await machine.resume();
  expect((await machine.run(["echo", "back"])).stdout).toBe("back\n");
  await service.lose(machine.id);
  await expect(machine.run(["true"])).rejects.toEqual(codeOf("not_found"));
  await expect(machine.suspend()).rejects.toEqual(codeOf("not_found"));
  expect(await machine.status()).toMatchObject({ state: "gone" });
  await machine.destroy();
});

test("changes that come in each other's way are made one after the other", async () => {
  const machine = await create();
  await Promise.all([machine.suspend(), machine.suspend(), machine.suspend()]);
  await Promise.all([machine.resume(), machine.resume()]);
  await Promise.all([machine.suspend(), machine.destroy()].map((change) => change.catch(() => {})));
  await machine.destroy();
  expect(service.ledger.alive).toEqual([]);
});

test("its place has another pass after each start, and who is not let in is not taken for the daemon", async () => {
  const machine = await create();
  const before = await machine.endpoint(8000);
  expect(before).toEqual(await machine.endpoint(8000));
  const look = async (endpoint: typeof before) =>
    (await endpoint.fetch!(endpoint.url, { headers: endpoint.headers, redirect: "manual" })).status;
  // Nobody listens there: the proxy's own 400.
  expect(await look(before)).toBe(502);
  await machine.suspend();
  expect(await look(before)).toBe(502);
  await machine.resume();
  expect(await look(before)).toBe(307);
  const after = await machine.endpoint(8000);
  expect([after.url, await look(after)]).toEqual([before.url, 502]);
  expect(after.headers).not.toEqual(before.headers);
  await machine.destroy();
});

test("a life is made longer, and never shorter; one without an end is left alone", async () => {
  const machine = await create({ lifeMs: 60_000 });
  const end = async () => (await machine.status()).expiresAt ?? 0;
  const before = await end();
  await machine.extend(10_000);
  expect(await end()).toBeGreaterThanOrEqual(before);
  await machine.extend(600_000);
  expect((await end()) - before).toBeGreaterThanOrEqual(9 * 60_000);
  await machine.destroy();
  const endless = await create({ lifeMs: 60_000 }, { lifeMs: 0 });
  await endless.extend(60_000);
  expect(await endless.status()).toEqual({ state: "running" });
  await endless.destroy();
});

test("it is made of a snapshot, or of an image that begins with nothing of its own", async () => {
  const snapshot = await create({ image: "snapshot:sandbox-agent", cpus: 2, memoryMiB: 4_096, network: "off" });
  expect(JSON.parse(bodyOf("/api/sandbox"))).toMatchObject({
    snapshot: "sandbox-agent",
    networkBlockAll: true,
    env: {},
  });
  const image = await create({ image: "node:20-slim", cpus: 1.5, memoryMiB: 3_000 }, { diskGiB: 5 });
  expect(JSON.parse(bodyOf("/api/sandbox"))).toMatchObject({
    buildInfo: { dockerfileContent: 'FROM node:20-slim\nENTRYPOINT ["sleep", "infinity"]\n' },
    cpu: 2,
    memory: 3,
    disk: 5,
    autoStopInterval: 15,
  });
  await Promise.all([snapshot.destroy(), image.destroy()]);
});

test("what is smaller than wished, too large or not there is refused, and nothing of it is left", async () => {
  await expect(create({ cpus: 4 })).rejects.toThrow(/snapshot daytona-small .* 1 processors .* less than is wished/);
  await expect(create({ image: "node:20-slim", cpus: 64 })).rejects.toThrow(/exceeds maximum allowed per sandbox/);
  await expect(create({ image: "snapshot:none" })).rejects.toThrow(/Snapshot none not found/);
  expect(service.ledger.alive).toEqual([]);
});
