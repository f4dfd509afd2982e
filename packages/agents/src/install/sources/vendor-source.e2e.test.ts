/** Feared: a release that is not the vendor's, half of one, or a failure that takes away what worked. */
import { execFileSync } from "node:child_process";
import { createHash, generateKeyPairSync } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { basename, join } from "node:path";
import { packageArchive } from "@sandbox-agent-ts/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryDirectory, withoutPauses } from "../__fixtures__/installer-world.ts";
import { type ReleaseLayout, rawSignature, releaseLayouts, words } from "../__fixtures__/release-layout.ts";
import { ReleaseServer } from "../__fixtures__/release-server.ts";
import { type InstallOptions, installProgram } from "../install-program.ts";
import { listInstalled } from "../installed-programs.ts";
import { newestVersion } from "./newest-version.ts";
import type { VendorReleases } from "./vendor-releases.ts";

const layouts = Object.entries(await releaseLayouts());
/** Any one with this about it. */
const layoutWhere = (fits: (vendor: VendorReleases) => boolean): ReleaseLayout =>
  layouts.find(([, { program }]) => fits(program.vendor!))![1];
const withApi = layoutWhere(({ hosts }) => hosts.length === 1 && hosts[0].checksum.kind === "release");
const elsewhere = words ? "" : " (not here: the layouts are written down for Linux)";
const impatient = { ...withoutPauses, answerMs: 150, stallMs: 150 };
const [older, newer] = ["1.2.3-g0abc", "1.2.4-g0abc"];
/** Too large to come in one piece. */
const scriptOf = (version: string) => `#!/bin/sh\necho "program ${version} (a build)"\nexit\n${"#".repeat(300_000)}\n`;

let server: ReleaseServer;
let place: { env: Record<string, string | undefined>; installRoot: string };

beforeEach(async () => {
  server = await ReleaseServer.start();
  const directory = await temporaryDirectory();
  await mkdir(join(directory, "home"));
  place = {
    installRoot: join(directory, "programs"),
    env: {
      PATH: process.env.PATH,
      HOME: join(directory, "home"),
      SANDBOX_AGENT_CACHE_DIR: join(directory, "cache"),
      SANDBOX_AGENT_NPM_REGISTRY: "http://127.0.0.1:9",
      SANDBOX_AGENT_SOURCES: "vendor",
      SANDBOX_AGENT_MIRRORS: `*=${server.url}`,
    },
  };
});

const install = ({ program }: ReleaseLayout, version: string, options: InstallOptions = {}) =>
  installProgram(program, place, { version, limits: withoutPauses, ...options });

const says = (path: string) => execFileSync(path, { encoding: "utf8" }).trim();

/** An older version that is installed works after whatever failed, and nothing else is installed. */
async function expectFailure(layout: ReleaseLayout, details: object, sentence: RegExp, options: InstallOptions = {}) {
  const failure = await install(layout, newer, options).then(
    () => expect.fail("It was installed."),
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ code: "install_failed", agent: layout.program.name, details });
  expect(failure).toHaveProperty("message", expect.stringMatching(sentence));
  const installed = await listInstalled(place.installRoot, layout.program.name);
  expect(installed.map(({ version }) => version)).toEqual([older]);
  expect(says(installed[0]!.path)).toBe(`program ${older} (a build)`);
}

const answering =
  (end: string, respond: (response: ServerResponse) => void, times = Number.POSITIVE_INFINITY) =>
  ({ url }: { url: string }, response: ServerResponse): true | undefined => {
    if (!url.endsWith(end) || times-- <= 0) return undefined;
    respond(response);
    return true;
  };

const html = (response: ServerResponse) => void response.end("<!DOCTYPE html><title>Not in your country</title>");

const firstHostOf = ({ program: { vendor } }: ReleaseLayout) => ({ ...vendor!, hosts: [vendor!.hosts[0]] as const });

describe.skipIf(!words).each(layouts)(`the releases of %s${elsewhere}`, (name, written) => {
  const layout = { ...written, program: { ...written.program, vendor: firstHostOf(written) } };

  beforeEach(async () => {
    await layout.publish(server, older, scriptOf(older));
    await install(layout, older);
    await layout.publish(server, newer, scriptOf(newer));
  });

  test("are installed, recorded as the vendor's, and kept in the cache", async () => {
    const { path, version } = await install(layout, newer);
    expect([version, says(path)]).toEqual([newer, `program ${newer} (a build)`]);
    const [installed] = await listInstalled(place.installRoot, name);
    expect(installed).toMatchObject({ from: "vendor", version: newer, says: expect.stringMatching(/^1\.2\.4/) });
    const asked = server.requests.length;
    const again = await install(layout, newer, { reinstall: true });
    expect([says(again.path), server.requests.length]).toEqual([`program ${newer} (a build)`, asked]);
  });

  test("say which is the newest", async () => {
    const options = { version: "latest", limits: withoutPauses };
    expect(await installProgram(layout.program, place, options)).toMatchObject({ version: newer });
    expect(await newestVersion(layout.program, place.env)).toBe(newer);
  });

  test("a file that is not what the vendor says it is", async () => {
    server.put(layout.file(newer), Buffer.concat([server.get(layout.file(newer)), Buffer.from("more")]));
    await expectFailure(layout, { step: "download" }, /is not what was announced \(sha256 differs\)/);
    expect(readdirSync(join(place.env.SANDBOX_AGENT_CACHE_DIR!, "packages")).join()).not.toContain("partial");
  });

  test("a file that ends too early, with everything said to be right", async () => {
    server.put(layout.file(newer), server.get(layout.file(newer)).subarray(0, 100));
    await expectFailure(layout, { step: "download" }, /is not what was announced/);
  });

  test("a page in place of what it hashes to", async () => {
    server.intercept = answering(layout.checksum(newer), html);
    await expectFailure(layout, { step: "resolve" }, /not a vendor's|does not say what .* hashes to/);
  });

  test("a page in place of the newest version", async () => {
    server.intercept = answering(layout.newest, html);
    const answer = newestVersion(layout.program, place.env, withoutPauses);
    await expect(answer).rejects.toMatchObject({ message: expect.stringContaining("is not a vendor's") });
  });

  test("a version that there is not", async () => {
    server.remove(layout.checksum(newer));
    server.remove(layout.file(newer));
    await expectFailure(layout, { step: "resolve", status: 404 }, /answered 404: there is no such release there/);
  });

  test("a server that has enough of us", async () => {
    server.intercept = ({ url }, response) => {
      if (!url.includes(newer)) return undefined;
      response.writeHead(429).end();
      return true;
    };
    await expectFailure(layout, { step: "resolve", status: 429 }, /answered 429: .*(later|hour)/);
    expect(server.asked(layout.checksum(newer))).toHaveLength(3);
  });

  test("a server that stops in the middle: what came is kept, and the rest alone is asked for the next time", async () => {
    const whole = server.get(layout.file(newer));
    const half = Math.floor(whole.length / 2);
    server.intercept = answering(layout.file(newer), (response) => {
      response.writeHead(200, { "content-length": whole.length });
      response.write(whole.subarray(0, half));
    });
    await expectFailure(layout, { step: "download" }, /nothing came for 0\.15 s/, { limits: impatient });
    server.intercept = undefined;
    const { artifacts } = await install(layout, newer);
    const from = Number(/^bytes=(\d+)-$/.exec(server.asked(layout.file(newer)).at(-1)!.headers.range ?? "")?.[1]);
    expect(from).toBeGreaterThan(0);
    expect(artifacts[0]!.downloadedBytes).toBe(whole.length - from);
  });

  test("an executable that does not start here", async () => {
    await layout.publish(server, newer, "#!/nowhere/interpreter\n");
    await expectFailure(layout, { step: "verify" }, /does not run on this machine/);
  });

  test("another version than it is said to be", async () => {
    await layout.publish(server, newer, scriptOf("1.2.9-g0abc"));
    await expectFailure(layout, { step: "verify" }, /came as .* 1\.2\.4-g0abc says that it is 1\.2\.9/);
  });
});

describe.skipIf(!words)(`a signed manifest${elsewhere}`, () => {
  const layout = layoutWhere(({ hosts }) => hosts[0].checksum.kind === "manifest");
  const signature = `${layout.checksum(newer)}.raw-sig.json`;

  beforeEach(async () => {
    await layout.publish(server, older, scriptOf(older));
    await install(layout, older);
    await layout.publish(server, newer, scriptOf(newer));
  });

  test("that was changed afterwards", async () => {
    const changed = server.get(layout.checksum(newer)).toString().replace('"flag"', '"off"');
    server.put(layout.checksum(newer), changed);
    await expectFailure(layout, { step: "resolve" }, /The signature of .* does not fit: nothing was installed/);
  });

  test("that somebody else signed", async () => {
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
    server.put(signature, rawSignature("x", other));
    await expectFailure(layout, { step: "resolve" }, /with a key that is not known here/);
    server.put(signature, { ...rawSignature("x", other), publicKeySha256: rawSignature("x").publicKeySha256 });
    await expectFailure(layout, { step: "resolve" }, /does not fit/);
  });

  test.each([
    ["nobody signed", () => server.remove(signature), /answered 404/],
    ["is signed in another way", () => server.put(signature, { schema: 2 }), /of a kind that is not known/],
    ["comes with a page for a signature", () => server.put(signature, "<html>"), /not a vendor's/],
  ])("that %s", async (_what, prepare, sentence) => {
    prepare();
    await expectFailure(layout, { step: "resolve" }, sentence);
  });

  test("of an older version in its place, which is signed well", async () => {
    for (const end of ["", ".raw-sig.json"]) {
      server.put(`${layout.checksum(newer)}${end}`, server.get(`${layout.checksum(older)}${end}`));
    }
    await expectFailure(layout, { step: "resolve" }, /is about 1\.2\.3-g0abc, not about 1\.2\.4-g0abc/);
  });
});

describe.skipIf(!words)(`hosts and sources${elsewhere}`, () => {
  test("of two hosts the second is asked where the first has it not", async () => {
    const layout = layoutWhere(({ hosts }) => hosts.length > 1);
    await layout.publish(server, newer, scriptOf(newer));
    server.intercept = ({ url }, response) => {
      if (!url.startsWith(new URL(layout.newest).origin)) return undefined;
      response.writeHead(403).end();
      return true;
    };
    const { path } = await install(layout, newer);
    expect(says(path)).toBe(`program ${newer} (a build)`);
    expect(await newestVersion(layout.program, place.env, withoutPauses)).toBe(newer);
    // Neither the files nor their sums are limited, as the API is.
    expect(server.requests.filter(({ url }) => url.startsWith("https://api.github.com"))).toHaveLength(1);
  });

  test("a registry that cannot be reached is followed by the vendor; where both fail, both are named", async () => {
    const layout = withApi;
    await layout.publish(server, newer, scriptOf(newer));
    delete place.env.SANDBOX_AGENT_SOURCES;
    expect(says((await install(layout, newer)).path)).toBe(`program ${newer} (a build)`);
    await expect(install(layout, older)).rejects.toMatchObject({
      message: expect.stringMatching(/^From npm's registry: .*127\.0\.0\.1:9 failed.* From its vendor: .*answered 404/),
    });
  });

  test("an archive that leads out is refused, and the next source is not asked", async () => {
    const layout = withApi;
    await layout.publish(server, newer, scriptOf(newer));
    const name = basename(layout.file(newer));
    const hostile = await packageArchive([{ name: "../evil", content: "x" }]);
    const digest = `sha256:${createHash("sha256").update(hostile).digest("hex")}`;
    server.put(layout.file(newer), hostile);
    server.put(layout.checksum(newer), { tag_name: `v${newer}`, assets: [{ name, digest }] });
    place.env.SANDBOX_AGENT_SOURCES = "vendor, npm";
    await expect(install(layout, newer)).rejects.toMatchObject({
      message: expect.stringMatching(/^The package cannot be trusted: its entry "\.\.\/evil" leads out/),
      details: { step: "unpack" },
    });
    expect(existsSync(join(place.installRoot, "evil"))).toBe(false);
  });

  test("many at once are one download, also for several data directories", async () => {
    const layout = withApi;
    await layout.publish(server, newer, scriptOf(newer));
    const roots = [place.installRoot, await temporaryDirectory(), await temporaryDirectory()];
    const all = await Promise.all(
      [...roots, ...roots].map((installRoot) =>
        installProgram(layout.program, { ...place, installRoot }, { version: newer, limits: withoutPauses }),
      ),
    );
    expect(new Set(all.map(({ path }) => says(path)))).toEqual(new Set([`program ${newer} (a build)`]));
    expect(server.asked(layout.file(newer))).toHaveLength(1);
  });

  test("words that name no source, and no source at all, are said", async () => {
    const layout = withApi;
    place.env.SANDBOX_AGENT_SOURCES = "npm,web";
    await expect(install(layout, newer)).rejects.toThrow(/names "web", which is no source.*directory, npm, vendor/);
    place.env.SANDBOX_AGENT_SOURCES = "directory";
    await expect(install(layout, newer)).rejects.toThrow(/None of the places .* has /);
    await expect(install(layout, "latest")).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("Give an exact one"),
    });
  });
});
