/** The machine by Modal's own SDK, at the fake service. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startModalService } from "../../../../testing/src/providers/modal/modal-service.ts";
import type { ProviderService } from "../../../../testing/src/providers/provider-service.ts";
import type { SandboxSpec } from "../sandbox-provider.ts";
import { createMachine } from "./create-machine.ts";
import { provider } from "./index.ts";
import { ModalClient } from "./modal-client.ts";
import { ModalMachine } from "./modal-machine.ts";
import { readModalSettings } from "./modal-settings.ts";

let service: ProviderService;
let machine: ModalMachine;
const bundle = realpathSync(mkdtempSync(join(tmpdir(), "modal-machine-")));

beforeAll(async () => {
  writeFileSync(join(bundle, "sandbox-agent.cjs"), 'console.log("a daemon")');
  service = await startModalService();
  machine = await make();
});
afterAll(async () => {
  await service.close();
  rmSync(bundle, { recursive: true, force: true });
});

const codeOf = (code: string) => expect.objectContaining({ name: "SandboxProviderError", code });
const settingsOf = (given = {}) => readModalSettings({ ...service.settings, ...given }, {});
const requestsTo = (method: string) => service.requests.filter(({ path }) => path.endsWith(`/${method}`));

async function make(given = {}, spec: Partial<SandboxSpec> = {}, signal?: AbortSignal): Promise<ModalMachine> {
  const settings = settingsOf(given);
  const client = new ModalClient(settings);
  return createMachine({ labels: { of: "test" }, bundle, ...spec }, { client, settings, signal });
}

test("commands answer their output and their exit code", async () => {
  const answer = await machine.run(["sh", "-c", "id -u; echo bad >&2; exit 3"]);
  expect(answer).toEqual({ code: 3, stdout: "1000\n", stderr: "bad\n" });
});

test("a command that takes too long is given up, and the next one runs", async () => {
  await expect(machine.run(["sleep", "30"], { timeoutMs: 200 })).rejects.toEqual(codeOf("timeout"));
  expect((await machine.run(["echo", "on"])).stdout).toBe("on\n");
});

test("files are written by one command, large ones too, with their modes, in the place of others", async () => {
  const data = Uint8Array.from({ length: 3_000_000 }, (_, index) => index % 251);
  const [large, small] = ["/home/user/deep/down/ä ü.bin", "/home/user/small"];
  const before = requestsTo("TaskExecStart").length;
  await machine.write([
    { path: large, data, mode: 0o600 },
    { path: small, data: Buffer.from("small"), mode: 0o755 },
  ]);
  expect(requestsTo("TaskExecStart")).toHaveLength(before + 1);
  await machine.write([{ path: small, data: Buffer.from("other"), mode: 0o600 }]);
  const { stdout } = await machine.run(["stat", "-c", "%a %s", large, small]);
  expect(stdout).toBe("600 3000000\n600 5\n");
  expect(Buffer.from((await service.boxes.get(machine.id)!.read(large))!).equals(data)).toBe(true);
});

test("what cannot be written is said", async () => {
  const message = expect.stringMatching(/^Files cannot be written in sb-\w+: .*Permission denied/s);
  const refused = expect.objectContaining({ code: "failed", message });
  const data = new Uint8Array(2_000_000);
  await expect(machine.write([{ path: "/etc/probe", data }])).rejects.toEqual(refused);
});

test("ports are reached with a token, another one each time", async () => {
  const server = 'require("http").createServer((_, answer) => answer.end("here")).listen(2468)';
  await machine.launch(["node", "-e", server]);
  const [first, second] = [await machine.endpoint(2468), await machine.endpoint(2468)];
  expect(first.headers).not.toEqual(second.headers);
  const ask = async () => (await fetch(first.url, { headers: first.headers })).text();
  await expect.poll(ask, { timeout: 30_000 }).toBe("here");
  expect((await fetch(first.url)).status).toBe(401);
  await service.move!(machine.id);
  expect((await fetch(first.url, { headers: first.headers })).status).toBe(401);
});

test("a tunnel is reached by everybody, where it was wished for", async () => {
  const open = await make({ access: "tunnel" });
  await open.launch(["node", "-e", 'require("http").createServer((_, answer) => answer.end("open")).listen(2468)']);
  const { url, headers } = await open.endpoint(2468);
  expect(headers).toEqual({});
  await expect.poll(() => fetch(url).then((answer) => answer.text(), String), { timeout: 30_000 }).toBe("open");
  const other = new ModalMachine(machine.id, {
    client: new ModalClient(settingsOf()),
    settings: settingsOf({ access: "tunnel" }),
  });
  await expect(other.endpoint(2468)).rejects.toEqual(codeOf("failed"));
  await open.destroy();
});

test("it is told how a sandbox ended, and nothing is asked of one that is gone", async () => {
  const ends = [
    [(it: ModalMachine) => service.expire(it.id), /end of its life/],
    [(it: ModalMachine) => service.lose(it.id), /exit code 1/],
    [(it: ModalMachine) => it.destroy(), /terminated/],
  ] as const;
  for (const [end, why] of ends) {
    const mortal = await make();
    await end(mortal);
    expect(await mortal.status()).toEqual({ state: "gone", why: expect.stringMatching(why) });
    await expect(mortal.run(["true"])).rejects.toEqual(codeOf("not_found"));
    await expect(mortal.endpoint(2468)).rejects.toEqual(codeOf("not_found"));
    await mortal.destroy();
  }
});

test("what is wished for is what is asked for", async () => {
  const wished = await make({ lifeMs: 3_600_500 }, { cpus: 1.5, memoryMiB: 2048, network: "off", image: "my/image:1" });
  const { definition, tags } = JSON.parse(requestsTo("SandboxCreateV2").at(-1)!.body);
  expect(definition).toMatchObject({
    name: expect.stringMatching(/^sandbox-agent-[\da-f-]{36}$/),
    timeoutSeconds: 3_601,
    resources: { milliCpu: 1_500, milliCpuLimit: 1_500, memoryMiB: 2_048, memoryLimitMiB: 2_048 },
    network: { kind: 3, cidrs: [] },
  });
  expect(tags.length).toBeGreaterThan(2);
  const built = requestsTo("ImageGetOrCreate").map(({ body }) => JSON.parse(body).image.dockerfileCommands);
  expect(built.slice(-2)).toEqual([["FROM my/image:1"], ["FROM base", "ENTRYPOINT []", "USER root"]]);
  await wished.destroy();
});

test("images that are not public are fetched with a secret of the account", async () => {
  await (await make({ image: "my/private:1", registrySecret: "registry" })).destroy();
  const { image } = JSON.parse(requestsTo("ImageGetOrCreate").at(-2)!.body);
  expect(image.registry).toMatchObject({ secretId: "st-registry" });
  await expect(make({ registrySecret: "unknown" })).rejects.toEqual(codeOf("not_found"));
  await expect(make({ image: "im-unknown" })).rejects.toEqual(codeOf("not_found"));
});

test("it is waited for as long as Modal says", async () => {
  const fault = { kind: "status", status: 429, retryAfterSeconds: 7 } as const;
  service.faults.plan({ call: "create", fault });
  const creating = new ModalClient(settingsOf()).create("node:22", { timeoutMs: 1_000 }, new AbortController().signal);
  await expect(creating).rejects.toMatchObject({ code: "rate_limited", retryAfterMs: 7_000 });
});

test("what is made after nobody wants it any more is ended", async () => {
  const abort = new AbortController();
  const before = service.ledger.entries.length;
  service.faults.plan({ call: "run", fault: { kind: "status", status: 503 }, times: 3 });
  const creating = make({}, {}, abort.signal);
  await expect.poll(() => service.ledger.entries.length, { interval: 1 }).toBe(before + 1);
  abort.abort();
  await creating.then(
    (made) => made.destroy(),
    () => {},
  );
  expect(service.ledger.alive.map(({ id }) => id)).toEqual([machine.id]);
  service.faults.clear();
});

test("a root that cannot be made is said, and nothing is left", async () => {
  const root = "/usr/sandbox-agent";
  const message = expect.stringMatching(
    /\/usr\/sandbox-agent cannot be made in the sandbox: .*Set root, user or image/s,
  );
  await expect(make({ root })).rejects.toEqual(expect.objectContaining({ code: "failed", message }));
  expect(service.ledger.alive.map(({ id }) => id)).toEqual([machine.id]);
});

test("an image with all of it is brought nothing", async () => {
  const programs = realpathSync(mkdtempSync(join(tmpdir(), "modal-programs-")));
  onTestFinished(() => rmSync(programs, { recursive: true, force: true }));
  const ready = await startModalService({
    mounts: { "/opt/sandbox-agent": bundle, "/opt/sandbox-agent-programs": programs },
  });
  onTestFinished(() => ready.close());
  const settings = { ...ready.settings, programs: "image", image: "registry.example.com/sandbox-agent:1" };
  const opened = await provider.create({ directory: join(bundle, "uploads"), settings });
  expect(opened.hasPrograms).toBe(true);
  const sandbox = await opened.create({ labels: {}, bundle, programs });
  const { stdout } = await ready.boxes.get(sandbox.id)!.run(["readlink", sandbox.paths.bundle, sandbox.paths.programs]);
  expect(stdout).toBe("/opt/sandbox-agent\n/opt/sandbox-agent-programs\n");
  await sandbox.start([`${sandbox.paths.bundle}/sandbox-agent.cjs`], {});
  await expect.poll(async () => (await sandbox.status()).state, { timeout: 30_000 }).toBe("failed");
  expect((await sandbox.status()).why).toContain("exit code 0");
});

test("it says what is so, and what to do where it is not", async () => {
  const check = async (given = {}) => {
    const opened = await provider.create({ directory: bundle, settings: { ...service.settings, ...given } });
    return Object.fromEntries((await opened.check()).map(({ name, ok, detail }) => [name, { ok, detail }]));
  };
  const well = await check();
  expect(well).toMatchObject({ account: { ok: true }, isolation: { ok: true }, access: { ok: true } });
  const ill = await check({ tokenSecret: "wrong", user: 0, access: "tunnel", lifeMs: 3_600_000 });
  expect(ill).toMatchObject({ account: { ok: false }, isolation: { ok: false }, access: { ok: false } });
  expect(ill.account?.detail).toMatch(/MODAL_TOKEN_ID/);
  expect(ill.end?.detail).toMatch(/lost 1 h after/);
});
