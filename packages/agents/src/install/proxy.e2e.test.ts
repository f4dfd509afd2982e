/** Feared: a machine whose only way out is a proxy, on which npm works and we do not. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { InstallerWorld, packageName, toolProgram, withoutPauses } from "./__fixtures__/installer-world.ts";
import { type LoopbackProxy, startProxy } from "./__fixtures__/loopback-proxy.ts";
import { madeCertificate, noOpenssl } from "./__fixtures__/made-certificate.ts";
import { ReleaseServer } from "./__fixtures__/release-server.ts";
import { httpGet } from "./http-get.ts";
import { currentPlatform } from "./platform.ts";

const registryUrl = "http://registry.example/";

/** A registry that can be reached only through a proxy. */
async function proxiedWorld(): Promise<{ world: InstallerWorld; proxy: LoopbackProxy }> {
  const world = await InstallerWorld.create();
  const proxy = await startProxy(Number(new URL(world.registry.url).port));
  world.env.SANDBOX_AGENT_NPM_REGISTRY = registryUrl;
  const tarballs = (text: string) => text.replaceAll(world.registry.url, registryUrl);
  world.registry.intercept = rewritten(world, tarballs);
  return { world, proxy };
}

/** The registry names itself by the name that only the proxy knows. */
function rewritten(world: InstallerWorld, rewrite: (text: string) => string): typeof world.registry.intercept {
  return ({ kind, path }, response) => {
    if (kind !== "metadata") return undefined;
    const before = world.registry.intercept;
    world.registry.intercept = undefined;
    void fetch(new URL(path, world.registry.url))
      .then((answer) => answer.text())
      .then((text) => response.end(rewrite(text)))
      .finally(() => {
        world.registry.intercept = before;
      });
    return true;
  };
}

type Configure = (world: InstallerWorld, url: string) => void | Promise<void>;

test.each<[string, Configure]>([
  ["the environment", ({ env }, url) => void Object.assign(env, { http_proxy: url })],
  ["npm's variable", ({ env }, url) => void Object.assign(env, { npm_config_proxy: url })],
  ["the user's .npmrc", ({ env }, url) => writeFile(join(env.HOME!, ".npmrc"), `proxy=${url}\n`)],
])("a proxy of %s is used for everything", async (_, configure) => {
  const { world, proxy } = await proxiedWorld();
  await configure(world, proxy.url.replace("//", "//me:p%40ss@"));
  await world.install();
  expect(proxy.asked[0]).toBe(`GET ${registryUrl}${packageName.replace("/", "%2f")}`);
  expect(proxy.asked).toHaveLength(2);
  expect(new Set(proxy.credentials)).toEqual(new Set([`Basic ${Buffer.from("me:p@ss").toString("base64")}`]));
});

test("a vendor is asked through it, too", async () => {
  const server = await ReleaseServer.start();
  const proxy = await startProxy(Number(new URL(server.url).port));
  const world = await InstallerWorld.create([]);
  const script = "#!/bin/sh\necho tool 1.0.0\n";
  server.put("https://1.0.0/tool", script);
  server.put("https://1.0.0/sum", createHash("sha256").update(script).digest("hex"));
  Object.assign(world.env, { http_proxy: proxy.url, SANDBOX_AGENT_SOURCES: "vendor" });
  const file = { target: "here", file: "tool", archive: { kind: "raw" }, binary: "tool" } as const;
  const url = "http://vendor.example/{version}";
  const host = {
    newest: { kind: "text", url },
    url: `${url}/{file}`,
    checksum: { kind: "bare", url: `${url}/sum` },
  } as const;
  await world.install({}, { ...toolProgram(), vendor: { files: { [currentPlatform()]: file }, hosts: [host] } });
  expect(proxy.asked).toEqual(["GET http://vendor.example/1.0.0/sum", "GET http://vendor.example/1.0.0/tool"]);
});

test("a host that needs no proxy is asked directly", async () => {
  const world = await InstallerWorld.create();
  const proxy = await startProxy(1);
  world.env.HTTP_PROXY = proxy.url;
  await world.install();
  expect(proxy.asked).toEqual([]);
});

test.each([
  ["that is not there", "http://127.0.0.1:1", "through the proxy 127.0.0.1:1 failed"],
  ["that is none", "socks5://127.0.0.1:1", "not an http(s) URL"],
])("a proxy %s is said", async (_, url, sentence) => {
  const { world } = await proxiedWorld();
  world.env.HTTP_PROXY = url;
  await expect(world.install()).rejects.toThrow(sentence);
});

test.skipIf(noOpenssl)(`what is encrypted goes through a tunnel${noOpenssl}`, async () => {
  const port = await startSecureServer();
  const proxy = await startProxy(port);
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await get("https://registry.example/first", proxy)).toBe("/second without credentials");
  expect(proxy.asked).toEqual(["CONNECT registry.example:443", "CONNECT other.example:8443"]);
  proxy.refuses = 407;
  await expect(get("https://registry.example/first", proxy)).rejects.toMatchObject({
    failure: { message: expect.stringContaining("answered 407") },
  });
});

test.skipIf(noOpenssl)(`a certificate nobody vouches for is refused in the tunnel too${noOpenssl}`, async () => {
  const proxy = await startProxy(await startSecureServer());
  await expect(get("https://registry.example/first", proxy)).rejects.toMatchObject({
    failure: { message: expect.stringContaining("self-signed") },
  });
});

async function get(url: string, proxy: LoopbackProxy): Promise<string> {
  const request = { url, accept: "*/*", authorization: "Bearer t", step: "download", limits: withoutPauses } as const;
  const pieces: Uint8Array[] = [];
  for await (const piece of httpGet({ ...request, network: { proxyOf: () => new URL(proxy.url) } })) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** Sends on to another host, and tells what it was given. */
async function startSecureServer(): Promise<number> {
  const { key, cert } = await madeCertificate("registry.example");
  const server = createServer({ key, cert }, ({ url, headers }, response) => {
    const told = headers.authorization === undefined ? "without credentials" : "with credentials";
    if (url === "/first") response.writeHead(302, { location: "https://other.example:8443/second" }).end();
    else response.end(`${url} ${told}`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
