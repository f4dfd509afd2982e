/** Feared: a sandbox that is woken or shortened by who only wants something of it, and a command of a shell in a file's name. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startE2bService } from "../../../../testing/src/providers/e2b/e2b-service.ts";
import type { ProviderService } from "../../../../testing/src/providers/provider-service.ts";
import type { SandboxSpec } from "../sandbox-provider.ts";
import { createMachine } from "./create-machine.ts";
import { E2bClient } from "./e2b-client.ts";
import { E2bMachine } from "./e2b-machine.ts";
import { readE2bSettings } from "./e2b-settings.ts";
import { prepareFiles } from "./shell.ts";

const minute = 60_000;
let service: ProviderService;

beforeAll(async () => {
  service = await startE2bService();
});
afterAll(() => service.close());

function open(changes: Record<string, unknown> = {}) {
  const settings = readE2bSettings({ ...service.settings, ...changes }, {});
  return { settings, client: new E2bClient(settings) };
}

async function machineOf(spec: Partial<SandboxSpec> = {}, changes: Record<string, unknown> = {}) {
  const machine = await createMachine({ labels: { a: "b" }, bundle: "/", ...spec }, open(changes));
  onTestFinished(() => machine.destroy());
  return machine;
}

const another = (id: string) => new E2bMachine(id, open());
const code = (expected: string) => expect.objectContaining({ code: expected });

describe("a sandbox of E2B", { timeout: 60_000 }, () => {
  test("runs words, not lines of a shell, and says how they ended", async () => {
    const machine = await machineOf();
    const words = ["printf", "%s|", "a b", "$HOME", "it's", "", "\n*"];
    expect(await machine.run(words)).toEqual({ code: 0, stdout: "a b|$HOME|it's||\n*|", stderr: "" });
    const failed = await machine.run(["sh", "-c", "echo no >&2; exit 7"]);
    expect(failed).toEqual({ code: 7, stdout: "", stderr: "no\n" });
    await expect(machine.run(["sleep", "20"], { timeoutMs: 300 })).rejects.toEqual(code("timeout"));
  });

  test("has files with their modes, in the place of those that were there", async () => {
    const machine = await machineOf();
    const place = '/home/user/it\'s a "place"';
    const bytes = Buffer.from([0, 255, 10, 13, 36]);
    await machine.run(["mkdir", place]);
    await machine.run(["ln", "-s", "/etc/passwd", `${place}/secret`]);
    await machine.write([
      { path: `${place}/secret`, data: bytes, mode: 0o600 },
      { path: `${place}/deep/$(id)`, data: Buffer.from("two") },
    ]);
    const shown = await machine.run([
      "sh",
      "-c",
      'cd "$1"; stat -c "%a %F %s" secret "deep/\\$(id)"; od -An -tx1 secret',
      "sh",
      place,
    ]);
    expect(shown.stdout.split("\n").map((line) => line.trim())).toEqual([
      "600 regular file 5",
      "644 regular file 3",
      "00 ff 0a 0d 24",
      "",
    ]);
    await expect(machine.write([{ path: "/proc/no", data: bytes }])).rejects.toThrow(/Files cannot be written/);
  });

  test("of many files no script is longer than a system takes", () => {
    const files = Array.from({ length: 3_000 }, (_, index) => ({
      path: `/a/${"x".repeat(100)}/${index}`,
      data: Buffer.from(""),
    }));
    const scripts = prepareFiles(files);
    expect(scripts.length).toBeGreaterThan(1);
    expect(Math.max(...scripts.map(({ length }) => length))).toBeLessThan(128 * 1024);
    expect(scripts.join("\n").match(/^prepare '/gm)).toHaveLength(files.length);
  });

  test("is reached at a port with its token alone, also by another process", async () => {
    const machine = await machineOf();
    await machine.launch([
      "node",
      "-e",
      "require('http').createServer((_, answer) => answer.end('here')).listen(2468)",
    ]);
    const other = another(machine.id);
    const { url, headers, fetch: there } = await other.endpoint(2468);
    const get = (sent: Record<string, string>) => there!(url, { headers: sent });
    await expect.poll(async () => (await get(headers)).status, { timeout: 20_000 }).toBe(200);
    expect((await get({})).status).toBe(403);
    await service.move!(machine.id);
    expect((await get(headers)).status).toBe(403);
    const place = await other.endpoint(2468);
    expect(await (await place.fetch!(place.url, { headers: place.headers })).text()).toBe("here");
  });

  test("that is paused is left so by all but resume", async () => {
    const machine = await machineOf();
    await machine.suspend();
    await machine.suspend();
    const other = another(machine.id);
    for (const one of [machine, other]) {
      expect(await one.status()).toEqual({ state: "suspended" });
      await expect(one.run(["true"])).rejects.toEqual(code("stopped"));
      await expect(one.endpoint(2468)).rejects.toEqual(code("stopped"));
      await expect(one.extend(minute)).rejects.toEqual(code("stopped"));
    }
    expect(service.ledger.running.map(({ id }) => id)).not.toContain(machine.id);
    await other.resume();
    expect((await machine.run(["true"])).code).toBe(0);
  });

  test("has its end put off and never brought nearer", async () => {
    const machine = await machineOf({ lifeMs: 10 * minute });
    const { expiresAt: before = 0 } = await machine.status();
    await machine.extend(minute);
    await another(machine.id).run(["true"]);
    expect((await machine.status()).expiresAt).toBe(before);
    await machine.extend(20 * minute);
    expect((await machine.status()).expiresAt).toBeGreaterThan(before + 9 * minute);
  });

  test("is paused at its end, or gone where that is wished", async () => {
    const kept = await machineOf();
    await service.expire(kept.id);
    expect(await kept.status()).toEqual({ state: "suspended" });
    const killed = await machineOf({}, { onTimeout: "kill" });
    await service.expire(killed.id);
    expect(await killed.status()).toMatchObject({ state: "gone" });
    await expect(killed.run(["true"])).rejects.toEqual(code("not_found"));
    await killed.destroy();
  });

  test("without memory loses what runs and keeps its files", async () => {
    const machine = await machineOf({}, { suspend: "disk" });
    await machine.write([{ path: "/home/user/kept", data: Buffer.from("kept") }]);
    await machine.launch(["sleep", "1000"]);
    await machine.suspend();
    await machine.resume();
    expect((await machine.run(["cat", "/home/user/kept"])).stdout).toBe("kept");
    expect(
      service.boxes
        .get(machine.id)!
        .processes()
        .filter(({ command }) => command === "sleep 1000"),
    ).toEqual([]);
  });

  test("that is smaller than was wished is none", async () => {
    const before = service.ledger.entries.length;
    const wish = createMachine({ labels: {}, bundle: "/", memoryMiB: 64_000 }, open());
    await expect(wish).rejects.toThrow(
      /The template base of E2B has 2 processors and 1024 MiB of memory, which is less/,
    );
    const [made] = service.ledger.entries.slice(before);
    expect(made).toMatchObject({ endedBy: "request" });
  });

  test("of a template that there is not is not made, and the sentence says so", async () => {
    const creating = createMachine({ labels: {}, bundle: "/", image: "nobody/knows" }, open());
    await expect(creating).rejects.toThrow(/template 'nobody\/knows' not found/);
  });
});
