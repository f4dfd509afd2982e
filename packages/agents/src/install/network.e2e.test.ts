/** Feared: a company's registry whose certificate npm is told to trust, and from which only npm can install. */
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { InstallerWorld } from "./__fixtures__/installer-world.ts";
import { madeCertificate, noOpenssl } from "./__fixtures__/made-certificate.ts";
import { findNetwork } from "./network.ts";

/** The registry of a company: encrypted, with a certificate of its own. */
async function companyWorld() {
  const world = await InstallerWorld.create();
  const { key, cert, certFile } = await madeCertificate("registry.example");
  const plain = world.registry.url;
  const server = createServer({ key, cert }, ({ url = "/", headers }, response) => {
    void fetch(new URL(url, plain)).then(async (answer) => {
      response.statusCode = answer.status;
      const bytes = Buffer.from(await answer.arrayBuffer());
      const isJson = answer.headers.get("content-type")?.includes("json") ?? bytes[0] === 0x7b;
      response.end(isJson ? bytes.toString().replaceAll(plain, `https://${headers.host}/`) : bytes);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  delete world.env.SANDBOX_AGENT_NPM_REGISTRY;
  const registry = `registry=https://127.0.0.1:${(server.address() as AddressInfo).port}/\n`;
  const configure = (more: string) => writeFile(join(world.env.HOME!, ".npmrc"), registry + more);
  return { world, cert: cert.toString(), certFile, configure };
}

test.skipIf(noOpenssl)(`a certificate nobody vouches for is refused${noOpenssl}`, async () => {
  const { world, configure } = await companyWorld();
  await configure("");
  await expect(world.install()).rejects.toThrow("self-signed");
});

test.skipIf(noOpenssl)(`npm's cafile and ca are trusted${noOpenssl}`, async () => {
  const { world, cert, certFile, configure } = await companyWorld();
  await configure(`cafile=${certFile}\n`);
  await world.install();
  await configure(`ca="${cert.trim().replaceAll("\n", "\\n")}"\n`);
  await world.install({ reinstall: true });
});

test("a cafile that is not there is nothing, and one that is no file is told", async () => {
  const { env } = await InstallerWorld.create();
  expect(findNetwork({ cafile: join(env.HOME!, "none.pem") }, {}).authorities).toBeUndefined();
  const directory = join(env.HOME!, "certificates");
  await mkdir(directory);
  expect(() => findNetwork({ cafile: directory }, {})).toThrow(`cannot be read from ${directory}`);
});

test("certificates of the environment count beside npm's, and are left out where they cannot be read", async () => {
  const { env } = await InstallerWorld.create();
  const extra = join(env.HOME!, "extra.pem");
  const npm = { ca: "CERTIFICATE of npm" };
  await writeFile(extra, "CERTIFICATE of the environment");
  const { authorities } = findNetwork(npm, { NODE_EXTRA_CA_CERTS: extra });
  expect(authorities?.slice(-2)).toEqual(["CERTIFICATE of the environment", "CERTIFICATE of npm"]);
  expect(findNetwork(npm, { NODE_EXTRA_CA_CERTS: env.HOME! }).authorities?.at(-1)).toBe("CERTIFICATE of npm");
});
