import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createCloudflareProvider } from "./cloudflare-provider.ts";
import { readCloudflareSettings } from "./cloudflare-settings.ts";

const key = "k".repeat(48);

/** A provider on what answers in the Worker's place. */
async function providerOn(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return createCloudflareProvider(readCloudflareSettings({ url, key }));
}

const workerSays = async (listener: RequestListener) => (await (await providerOn(listener)).check())[0];

test("settings are read from the configuration or from the environment, and what is missing is said", () => {
  const env = { SANDBOX_AGENT_CLOUDFLARE_URL: "https://boxes.example.workers.dev/", SANDBOX_AGENT_CLOUDFLARE_KEY: key };
  const settings = { url: "https://boxes.example.workers.dev", key };
  expect(readCloudflareSettings({}, env)).toEqual(settings);
  expect(readCloudflareSettings(settings, {})).toEqual(settings);
  expect(() => readCloudflareSettings({ key }, {})).toThrow("Deploy the Worker in examples/cloudflare");
  expect(() => readCloudflareSettings({ url: settings.url }, {})).toThrow("npx wrangler secret put SANDBOX_AGENT_KEY");
  expect(() => readCloudflareSettings({ url: "boxes.example", key }, {})).toThrow("begins with https://");
});

test("what only the Worker's deployment decides is refused before anything is asked", async () => {
  const provider = createCloudflareProvider(readCloudflareSettings({ url: "http://127.0.0.1:9", key }));
  for (const wish of [{ image: "node:20" }, { cpus: 2 }, { memoryMiB: 4_096 }]) {
    const refused = { code: "unavailable", message: expect.stringContaining(`leave out ${Object.keys(wish)[0]}`) };
    await expect(provider.create({ labels: {}, bundle: "/none", ...wish })).rejects.toMatchObject(refused);
  }
});

test("the check says whether the Worker is there, is the right one and takes the key", async () => {
  const right = JSON.stringify({ service: "sandbox-agent-boxes", version: 1 });
  const answering = (body: string, status = 200): RequestListener => {
    return ({ headers }, response) => {
      expect(headers.authorization).toBe(`Bearer ${key}`);
      response.writeHead(status).end(body);
    };
  };
  expect(await workerSays(answering(right))).toMatchObject({ ok: true });
  const old = await workerSays(answering(right.replace("1", "0")));
  expect(old).toMatchObject({ ok: false, detail: expect.stringContaining("of another version (0, not 1)") });
  const refused = await workerSays(answering('{"error":{"message":"No."}}', 401));
  expect(refused).toMatchObject({ ok: false, detail: expect.stringContaining("Set the key of the provider") });
  expect(JSON.stringify(refused)).not.toContain(key);
});

test.each([
  ["a page", { status: 200, headers: {}, body: "<title>Hello</title>" }, "no JSON"],
  ["another site", { status: 404, headers: {}, body: "<title>Not found</title>" }, "404"],
  [
    "a login",
    { status: 302, headers: { location: "https://login.example/" }, body: "" },
    "a redirect to https://login",
  ],
])("%s is not taken for the Worker", async (_, { status, headers, body }, what) => {
  const said = await workerSays((_, response) => void response.writeHead(status, headers).end(body));
  expect(said).toMatchObject({ ok: false, detail: expect.stringContaining(`it answered ${what}`) });
});

test("a Worker's refusal is told in its words, with how long to wait", async () => {
  let asked = 0;
  const provider = await providerOn((_, response) => {
    asked += 1;
    const error = { code: "rate_limited", message: "Raise max_instances." };
    response.writeHead(429, { "retry-after": "120" }).end(JSON.stringify({ error }));
  });
  const refusal = { code: "rate_limited", message: "Raise max_instances.", retryAfterMs: 120_000 };
  await expect(provider.attach("sa-0123456789abcdef")).rejects.toMatchObject(refusal);
  expect(asked).toBe(1);
});
