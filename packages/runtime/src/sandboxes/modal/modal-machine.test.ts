/** The machine and Modal's own SDK, against the fake service. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { service as modal } from "../../../../testing/src/providers/modal/index.ts";
import type { ProviderService } from "../../../../testing/src/providers/provider-service.ts";
import { createMachine } from "./create-machine.ts";
import { ModalClient } from "./modal-client.ts";
import type { ModalMachine } from "./modal-machine.ts";
import { readModalSettings } from "./modal-settings.ts";

let service: ProviderService;
let machine: ModalMachine;

beforeAll(async () => {
  service = await modal.start();
  const settings = readModalSettings(service.settings, {});
  const client = new ModalClient(settings);
  machine = await createMachine({ labels: { of: "test" }, bundle: "/nowhere" }, { client, settings });
});
afterAll(() => service.close());

const codeOf = (code: string) => expect.objectContaining({ name: "SandboxProviderError", code });

test("commands answer their output and their exit code", async () => {
  expect(await machine.run(["sh", "-c", "id -u; echo bad >&2; exit 3"])).toEqual({
    code: 3,
    stdout: "1000\n",
    stderr: "bad\n",
  });
});

test("a command that takes too long is given up", async () => {
  await expect(machine.run(["sleep", "30"], { timeoutMs: 200 })).rejects.toEqual(codeOf("timeout"));
});

test("files are written at once, large ones too, with their modes, in the place of others", async () => {
  const data = Uint8Array.from({ length: 3_000_000 }, (_, index) => index % 251);
  const large = "/home/user/deep/down/ä ü.bin";
  const before = service.requests.length;
  await machine.write([
    { path: large, data, mode: 0o600 },
    { path: "/home/user/small", data: Buffer.from("small"), mode: 0o755 },
  ]);
  const starts = service.requests.slice(before).filter(({ path }) => path.endsWith("/TaskExecStart"));
  expect(starts).toHaveLength(1);
  await machine.write([{ path: "/home/user/small", data: Buffer.from("other"), mode: 0o600 }]);
  const look = await machine.run(["stat", "-c", "%a %s", large, "/home/user/small"]);
  expect(look.stdout).toBe("600 3000000\n600 5\n");
  expect((await machine.run(["cat", "/home/user/small"])).stdout).toBe("other");
  const sum = await machine.run(["sh", "-c", `cksum < '${large}'`]);
  expect(sum.stdout).toMatch(/ 3000000$/m);
});

test("what cannot be written is said", async () => {
  const refused = expect.objectContaining({
    code: "failed",
    message: expect.stringMatching(/^Files cannot be written in sb-/),
  });
  await expect(machine.write([{ path: "/etc/probe", data: Buffer.from("x") }])).rejects.toEqual(refused);
});
