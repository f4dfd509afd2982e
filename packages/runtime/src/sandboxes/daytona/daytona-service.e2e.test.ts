/** Feared: a service that is not like Daytona where its SDK looks, so that what is tested on it does not work there. */
import { Daytona, type DaytonaError } from "@daytona/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDaytonaService } from "../../../../testing/src/providers/daytona/daytona-service.ts";
import type { ProviderService } from "../../../../testing/src/providers/provider-service.ts";

let service: ProviderService;
let daytona: Daytona;

beforeAll(async () => {
  service = await startDaytonaService();
  daytona = new Daytona({ ...service.settings, useDeprecatedPolling: true });
});

afterAll(async () => {
  await daytona?.[Symbol.asyncDispose]();
  await service?.close();
});

const refusal = (statusCode: number, message: string): Partial<DaytonaError> =>
  expect.objectContaining({ statusCode, message: expect.stringContaining(message) });

test("commands, sessions and files are as the SDK has them", async () => {
  const sandbox = await daytona.create({ envVars: { GIVEN: "1" } });
  const { process, fs } = sandbox;
  expect(await process.executeCommand("echo $GIVEN$MORE; echo bad >&2; exit 3", "/tmp", { MORE: "2" })).toMatchObject({
    exitCode: 3,
    result: expect.stringMatching(/12\n.*bad/s),
  });
  await expect(process.executeCommand("sleep 60", undefined, undefined, 1)).rejects.toEqual(refusal(408, "timeout"));

  await process.createSession("s");
  const { cmdId } = await process.executeSessionCommand("s", {
    command: "read word; echo out $word; echo err >&2; exit 4",
    runAsync: true,
  });
  const said: { readonly stdout: string[]; readonly stderr: string[] } = { stdout: [], stderr: [] };
  const followed = process.getSessionCommandLogs(
    "s",
    cmdId,
    (text) => said.stdout.push(text),
    (text) => said.stderr.push(text),
  );
  await process.sendSessionCommandInput("s", cmdId, "there\n");
  await followed;
  const all = { stdout: "out there\n", stderr: "err\n" };
  expect({ stdout: said.stdout.join(""), stderr: said.stderr.join("") }).toEqual(all);
  await expect.poll(async () => (await process.getSessionCommand("s", cmdId)).exitCode).toBe(4);
  expect(await process.getSessionCommandLogs("s", cmdId)).toMatchObject(all);
  await process.deleteSession("s");
  await expect(process.deleteSession("s")).rejects.toEqual(refusal(404, "session not found"));

  const data = Buffer.from(Uint8Array.from({ length: 100_000 }, (_, index) => index % 256));
  const places = ["/tmp/deep/down/a b.bin", "/tmp/b.bin"];
  await fs.uploadFiles(places.map((destination) => ({ source: data, destination })));
  for (const place of places) expect((await fs.downloadFile(place)).equals(data)).toBe(true);
  await expect(fs.downloadFile("/tmp/none")).rejects.toMatchObject({ name: "DaytonaFileNotFoundError" });
  await sandbox.delete(60, true);
});

test("states, names, labels and pages are as the SDK has them", async () => {
  const labels = { of: "pages" };
  const named = await daytona.create({ name: "one", labels });
  await expect(daytona.create({ name: "one" })).rejects.toEqual(refusal(409, "already exists"));
  const others = await Promise.all([1, 2].map(() => daytona.create({ labels: { ...labels } })));
  const found: string[] = [];
  for await (const { id, state } of daytona.list({ labels: { of: "pages" }, limit: 2 })) found.push(`${id} ${state}`);
  expect(found.sort()).toEqual([named, ...others].map(({ id }) => `${id} started`).sort());

  await named.stop();
  expect((await daytona.get("one")).state).toBe("stopped");
  await expect(named.process.executeCommand("true")).rejects.toEqual(refusal(400, "Is the Sandbox started?"));
  await expect(named.stop()).rejects.toEqual(refusal(400, "stoppable state"));
  await named.start();
  expect((await named.process.executeCommand("echo back")).result).toBe("back\n");

  const deleting = named.delete();
  await expect(deleting.then(() => named.start())).rejects.toMatchObject({ statusCode: expect.any(Number) });
  await expect(daytona.get("one")).rejects.toEqual(refusal(404, "not found"));
  await expect.poll(() => named.process.executeCommand("true").catch((error) => error.statusCode)).toBe(401);
  await Promise.all(others.map((sandbox) => sandbox.delete(60, true)));
  expect(service.ledger.alive).toEqual([]);
});

test("ports are for who has the token of this start, or a signed address", async () => {
  const sandbox = await daytona.create();
  const server = `require("node:http").createServer((request, response) => response.end(JSON.stringify(request.headers))).listen(8000)`;
  await sandbox.process.executeCommand(`node -e '${server}' </dev/null >/dev/null 2>&1 &`);
  const { url, token } = await sandbox.getPreviewLink(8000);
  const look = (headers: Record<string, string> = {}, at = url) => fetch(at, { headers, redirect: "manual" });
  await expect.poll(async () => (await look({ "x-daytona-preview-token": token })).status).toBe(200);
  expect((await look()).status).toBe(307);
  expect(await (await fetch(url)).text()).toContain("Sign in");

  const { apiKey } = service.settings;
  expect(await (await look({ authorization: `Bearer ${apiKey}` })).json()).not.toHaveProperty("authorization");
  await look({ authorization: "Bearer of somebody else" });
  expect(service.requests.at(-1)).toMatchObject({ path: "/api/preview/access", body: "of somebody else" });

  const signed = await sandbox.getSignedPreviewUrl(8000, 60);
  expect((await look({}, signed.url)).status).toBe(200);
  await sandbox.expireSignedPreviewUrl(8000, signed.token);
  expect((await look({}, signed.url)).status).toBe(307);

  await sandbox.stop();
  expect((await look({ "x-daytona-preview-token": token })).status).toBe(400);
  await sandbox.start();
  expect((await look({ "x-daytona-preview-token": token })).status).toBe(307);
  expect(await sandbox.getPreviewLink(8000)).toMatchObject({ url, token: expect.not.stringMatching(token) });
  await sandbox.delete(60, true);
});

test("whoever is not used from outside for as long as was wished is stopped", async () => {
  const sandbox = await daytona.create({ autoStopInterval: 1 });
  const deadline = () => service.boxes.get(sandbox.id)?.deadline ?? 0;
  const before = deadline();
  expect(before - Date.now()).toBeLessThanOrEqual(60_000);
  await sandbox.setAutostopInterval(5);
  expect(deadline() - before).toBeGreaterThanOrEqual(4 * 60_000);
  await service.expire(sandbox.id);
  await sandbox.refreshData();
  expect(sandbox.state).toBe("stopped");
  expect(service.ledger.running).toEqual([]);
  await sandbox.delete(60, true);
});
