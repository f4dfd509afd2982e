/** Feared: a failure that installs something all the same, leaves something behind, hangs, or does not say what to do. */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { NpmRegistry } from "@sandbox-agent-ts/testing";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { InstallerWorld, packageName, toolFiles, toolProgram, withoutPauses } from "./__fixtures__/installer-world.ts";
import { installProgram } from "./install-program.ts";
import { locateProgram } from "./locate-program.ts";

const impatient = { ...withoutPauses, answerMs: 150, stallMs: 150 };

let world: InstallerWorld;

beforeEach(async () => {
  world = await InstallerWorld.create();
});

/** Whatever failed, nothing is there afterwards, and it works as soon as the reason is gone. */
afterEach(async () => {
  world.registry.intercept = undefined;
  await world.publish(toolFiles("1.0.0"));
  expect(execFileSync((await world.install()).path, { encoding: "utf8" })).toContain("1.0.0");
});

async function expectFailure(
  details: object,
  sentence: RegExp | string,
  options = {},
  program = toolProgram(),
  kept: readonly string[] = [],
): Promise<void> {
  const failure = await world.install(options, program).then(
    () => expect.fail("It was installed."),
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ code: "install_failed", agent: "tool", details });
  expect(failure).toHaveProperty("message", expect.stringMatching(sentence));
  expect(await locateProgram(program, { ...world, env: {} })).toBeUndefined();
  const home = join(world.installRoot, "tool", "1.0.0");
  expect(existsSync(home) ? readdirSync(home) : []).toEqual([]);
  const halves = existsSync(world.packages)
    ? readdirSync(world.packages).filter((name) => name.includes("partial"))
    : [];
  expect(halves.map((name) => name.replace(/^.*\.tgz/, ""))).toEqual(kept);
}

const metadataUrl = () => `${world.registry.url}@agents%2ftool`;
const archiveUrl = () => `${world.registry.url}@agents/tool/-/1.0.0.tgz`;

/** The registry answers requests of this kind so, for as many times. */
function answer(
  kind: "metadata" | "archive",
  respond: (response: ServerResponse) => void,
  times = Number.POSITIVE_INFINITY,
) {
  let left = times;
  world.registry.intercept = (request, response) => {
    if (request.kind !== kind || left-- <= 0) return undefined;
    respond(response);
    return true;
  };
}

const status =
  (code: number, headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end();

const cut = (response: ServerResponse) => {
  response.writeHead(200, { "content-length": 10_000 });
  response.write("half", () => response.destroy());
};

const stall = (response: ServerResponse) => {
  response.writeHead(200, { "content-length": 10_000 });
  response.write("half");
};

const silence = () => {};

describe("what the registry says", () => {
  test("a package it does not have", async () => {
    const program = toolProgram({ name: "@agents/nobody" });
    await expectFailure({ step: "resolve", status: 404 }, /answered 404: there is no such package/, {}, program);
    expect(world.registry.requests).toHaveLength(1);
  });

  test("a version it does not have: the versions it has are named", async () => {
    await expectFailure({ step: "resolve", url: metadataUrl() }, /no version "3\.0\.0".*1\.0\.0/, { version: "3.0.0" });
  });

  test.each(["newest", "../1.0.0", "1.0.0/..", "install.lock", "", "^1.0.0"])(
    "what is no version: %j",
    async (version) => {
      await expect(world.install({ version })).rejects.toMatchObject({ code: "invalid_request", agent: "tool" });
      expect(world.registry.requests).toEqual([]);
    },
  );

  test.each([
    ["not JSON", (response: ServerResponse) => void response.end("<html>Please log in</html>")],
    ["JSON of another kind", (response: ServerResponse) => void response.end("null")],
  ])("%s", async (_what, respond) => {
    answer("metadata", respond);
    await expectFailure({ step: "resolve", url: metadataUrl() }, /not a registry's/);
  });

  test.each([
    ["versions that are null", { versions: null }, /has no version "1.0.0" there/],
    ["versions that are a list", { versions: [7] }, /has no version "1.0.0" there/],
    ["a version that is null", { versions: { "1.0.0": null } }, /does not say where/],
    ["a version that is a number", { versions: { "1.0.0": { dist: 7 } } }, /does not say where/],
    [
      "an archive that is a number",
      { versions: { "1.0.0": { dist: { tarball: 7, integrity: {} } } } },
      /does not say where/,
    ],
  ])("%s", async (_what, metadata, sentence) => {
    answer("metadata", (response) => void response.end(JSON.stringify(metadata)));
    await expectFailure({ step: "resolve", url: metadataUrl() }, sentence);
  });

  test("an archive that is larger than any program", async () => {
    const limits = { ...withoutPauses, maxArchiveBytes: 100 };
    await expectFailure({ step: "download", url: archiveUrl() }, /The archive has more than 100 bytes/, { limits });
  });

  test.each([
    ["no archive", { tarball: undefined }],
    ["an archive that is a file of this machine", { tarball: "file:///etc/passwd" }],
    ["no hash", { integrity: undefined, shasum: undefined }],
    ["a hash that nobody knows", { integrity: "md5-AAAA", shasum: "" }],
  ])("%s", async (_what, dist) => {
    await world.publish(toolFiles("1.0.0"), { dist: dist as Record<string, string> });
    await expectFailure({ step: "resolve", url: metadataUrl() }, /does not say where .* and what it hashes to/);
    expect(world.registry.count("archive")).toBe(0);
  });

  test("an old package with a shasum only is fine; a wrong one is not", async () => {
    await world.publish(toolFiles("1.0.0"), { dist: { integrity: undefined, shasum: "0".repeat(40) } as never });
    await expectFailure({ step: "download", url: archiveUrl() }, /sha1 differs/);
    await world.publish(toolFiles("1.0.0"), { dist: { integrity: undefined } as never });
    await world.install();
  });

  test("a hash that the archive does not have: it is not even unpacked, and not kept", async () => {
    await world.publish(toolFiles("1.0.0"), { dist: { integrity: `sha512-${"A".repeat(86)}==` } });
    await expectFailure({ step: "download", url: archiveUrl() }, /not what was announced/);
    expect(readdirSync(world.packages)).toEqual([]);
  });
});

describe("who may have it", () => {
  beforeEach(() => {
    world.registry.intercept = ({ headers }, response) => {
      if (headers.authorization === "Bearer good") return undefined;
      response.writeHead(401).end();
      return true;
    };
  });

  const npmrc = (token: string) =>
    writeFile(join(world.env.HOME!, ".npmrc"), `//${new URL(world.registry.url).host}/:_authToken=${token}\n`);

  test("nobody without credentials: how to sign in", async () => {
    await expectFailure({ step: "resolve", status: 401 }, /asks for credentials.*npm login/);
  });

  test("nobody with the wrong ones, which are told to nobody", async () => {
    await npmrc("bad-token");
    const failure = await world.install().catch((error: unknown) => error);
    expect(failure).toHaveProperty("message", expect.stringContaining("does not accept the credentials"));
    expect(JSON.stringify(failure)).not.toContain("bad-token");
  });

  test("whoever npm has a token for, for the metadata and the archive", async () => {
    await npmrc("good");
    await world.install();
    expect(world.registry.count("archive")).toBe(1);
  });

  test("credentials in the registry's URL never appear in a failure", async () => {
    const url = new URL(world.registry.url);
    url.username = "me";
    url.password = "hush";
    world.env.SANDBOX_AGENT_NPM_REGISTRY = url.href;
    const failure = await world.install().catch((error: unknown) => error);
    expect(failure).toMatchObject({ details: { step: "resolve", url: metadataUrl(), status: 401 } });
    expect(`${JSON.stringify(failure)}${failure}`).not.toContain("hush");
    expect(world.registry.requests[0]?.headers.authorization).toBe(
      `Basic ${Buffer.from("me:hush").toString("base64")}`,
    );
  });
});

describe("redirects", () => {
  test("are followed, and credentials stay with the host they are for", async () => {
    await writeFile(join(world.env.HOME!, ".npmrc"), `//${new URL(world.registry.url).host}/:_authToken=secret\n`);
    const storage = await NpmRegistry.start();
    onTestFinished(() => storage.close());
    await storage.publish({ name: packageName, version: "1.0.0", files: toolFiles("1.0.0") });
    const location = `${storage.url}@agents/tool/-/1.0.0.tgz`.replace("127.0.0.1", "localhost");
    answer("archive", status(302, { location }));
    await world.install();
    expect(world.registry.requests.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer secret",
      "Bearer secret",
    ]);
    expect(storage.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  test("that never end do end", async () => {
    answer("archive", status(302, { location: archiveUrl() }));
    await expectFailure({ step: "download", url: archiveUrl() }, /redirect/);
  });
});

describe("a network that fails", () => {
  test.each([
    ["an archive that breaks off", cut],
    ["a server that is overloaded", status(503)],
  ])("%s once is fetched again", async (_what, respond) => {
    answer("archive", respond, 1);
    await world.install();
    expect(world.registry.count("archive")).toBe(2);
  });

  test("metadata that breaks off once are fetched again", async () => {
    answer("metadata", cut, 1);
    await world.install();
    expect(world.registry.count("metadata")).toBe(2);
  });

  test.each([
    ["an archive that always breaks off", cut, {}, /connection to 127\.0\.0\.1:\d+ failed/, [".partial-download"]],
    ["an archive that stops coming", stall, { limits: impatient }, /nothing came for 0\.15 s/, [".partial-download"]],
    ["an archive that never begins", silence, { limits: impatient }, /nothing came for 0\.15 s/, []],
    ["an overloaded server", status(503), {}, /answered 503/, []],
  ])("%s is given up in the end, and what came is kept", async (_what, respond, options, sentence, kept) => {
    answer("archive", respond);
    await expectFailure({ step: "download", url: archiveUrl() }, sentence, options, toolProgram(), kept);
    expect(world.registry.count("archive")).toBe(3);
  });

  test("no answer at all", async () => {
    const { SANDBOX_AGENT_NPM_REGISTRY: registry } = world.env;
    const gone = await NpmRegistry.start();
    world.env.SANDBOX_AGENT_NPM_REGISTRY = gone.url;
    await gone.close();
    await expectFailure({ step: "resolve", url: `${gone.url}@agents%2ftool` }, /ECONNREFUSED.*Check the network/);
    world.env.SANDBOX_AGENT_NPM_REGISTRY = registry;
  });
});

describe("a package that is of no use", () => {
  test("for another platform", async () => {
    const program = {
      ...toolProgram(),
      source: { kind: "npm", packages: { "win32-arm64": { name: "x", binary: "x" } } },
    } as const;
    await expectFailure({ step: "resolve" }, /There is no tool for .*, only for win32-arm64/, {}, program);
  });

  test("without the program", async () => {
    await world.publish({ "bin/another": "" });
    await expectFailure({ step: "verify", url: archiveUrl() }, /does not have the program of tool in it/);
  });

  test.each([
    [
      "that fails",
      "#!/bin/sh\necho broken >&2; exit 3\n",
      /does not run on this machine: it exited with 3/,
      "broken\n",
    ],
    ["that is ended", "#!/bin/sh\nkill -SEGV $$\n", /it was ended by SIGSEGV/, ""],
    ["of another machine", "#!/nowhere/interpreter\n", /it cannot be started: .*ENOENT/, ""],
  ])("with a program %s", async (_what, script, sentence, stderr) => {
    await world.publish({ "bin/tool": script });
    await expectFailure({ step: "verify", url: archiveUrl(), stderr }, sentence);
  });
});

test("what dead installations left is removed before there is more, also of other versions", async () => {
  const halves = ["1.0.0", "0.9.0"].map((version) => join(world.installRoot, "tool", version, "0badf00d"));
  for (const half of halves) await mkdir(half, { recursive: true });
  await world.publish({ "bin/tool": "#!/bin/sh\nexit 1\n" });
  await expectFailure({ step: "verify" }, /does not run/);
  expect(readdirSync(join(world.installRoot, "tool"))).toEqual(["1.0.0"]);
  await rm(world.env.SANDBOX_AGENT_CACHE_DIR!, { recursive: true });
});

describe("a full disk", () => {
  const mounted = tryToMount();

  test.skipIf(!mounted)(
    `is named, and nothing is left on it${mounted ? "" : " (not here: this user may not mount a disk)"}`,
    async () => {
      const disk = join(world.directory, "disk");
      await mkdir(disk);
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=65536", "sandbox-agent-test", disk]);
      onTestFinished(() => void execFileSync("umount", ["--lazy", disk]));
      const big = { ...toolFiles("1.0.0"), filler: "x".repeat(1_000_000) };
      await world.publish(big);
      const onDisk = { env: world.env, installRoot: join(disk, "programs") };
      await expect(installProgram(toolProgram(), onDisk)).rejects.toMatchObject({
        code: "install_failed",
        message: expect.stringContaining("the disk is full. Free some space and try again."),
        details: { step: "unpack", url: archiveUrl() },
      });
      expect(readdirSync(join(disk, "programs", "tool", "1.0.0"))).toEqual([]);
    },
  );

  test.skipIf(!mounted)(
    `that the download fills is named, and nothing of it stays${mounted ? "" : " (not here: this user may not mount a disk)"}`,
    async () => {
      const disk = join(world.directory, "disk");
      await mkdir(disk);
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=65536", "sandbox-agent-test", disk]);
      onTestFinished(() => void execFileSync("umount", ["--lazy", disk]));
      await world.publish({ ...toolFiles("1.0.0"), filler: randomBytes(200_000).toString("base64") });
      const env = { ...world.env, SANDBOX_AGENT_CACHE_DIR: disk };
      await expect(
        installProgram(toolProgram(), { ...world, env, installRoot: world.installRoot }),
      ).rejects.toMatchObject({
        message: expect.stringContaining("the disk is full. Free some space and try again."),
        details: { step: "download" },
      });
      expect(readdirSync(join(disk, "packages"))).toEqual([]);
    },
  );
});

function tryToMount(): boolean {
  try {
    execFileSync("unshare", ["--mount", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
