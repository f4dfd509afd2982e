import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { FsManifestLine } from "@sandbox-agent-ts/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ask, json, refused } from "../files/__fixtures__/file-client.ts";
import { type FileWorld, makeFileWorld, secret } from "../files/__fixtures__/file-world.ts";
import { treeSnapshot } from "../files/__fixtures__/tree-snapshot.ts";

let world: FileWorld;
beforeEach(() => {
  world = makeFileWorld();
});
afterEach(() => world.remove());

const at = (...names: string[]) => join(world.session, ...names);

function put(path: string, content: string | Buffer, mode = 0o644): void {
  mkdirSync(join(at(path), ".."), { recursive: true });
  writeFileSync(at(path), content);
  chmodSync(at(path), mode);
}

async function manifest(query = ""): Promise<FsManifestLine[]> {
  const { status, text } = await ask(world, "GET", `/v1/fs/manifest?sessionId=s${query}`);
  expect(status, text).toBe(200);
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => FsManifestLine.parse(JSON.parse(line)));
}

const pathsOf = (lines: readonly FsManifestLine[]) =>
  lines.flatMap((line) => (line.type === "end" || line.type === "left_out" ? [] : [line.path]));
const leftOutOf = (lines: readonly FsManifestLine[]) =>
  Object.fromEntries(lines.flatMap((line) => (line.type === "left_out" ? [[line.path, line.reason]] : [])));

async function tag(): Promise<string | null> {
  return (await ask(world, "GET", "/v1/fs/manifest?sessionId=s")).headers.get("etag");
}

const hashOf = { hello: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824" };

describe("a manifest", () => {
  test("has every kind of thing, with what restores it", async () => {
    put("hello.txt", "hello", 0o640);
    put("bin/run", "", 0o755);
    utimesSync(at("hello.txt"), 1_700_000_000, 1_700_000_000.5);
    symlinkSync("../outside/canary", at("link"));
    mkdirSync(at("empty"));
    chmodSync(at("empty"), 0o700);
    const mode = 0o755;
    expect(await manifest()).toEqual([
      { type: "directory", path: "bin", mode },
      {
        type: "file",
        path: "bin/run",
        mode,
        mtime: expect.any(Number),
        size: 0,
        hash: expect.stringMatching(/^e3b0c/),
      },
      { type: "directory", path: "empty", mode: 0o700 },
      { type: "file", path: "hello.txt", mode: 0o640, mtime: 1_700_000_000_000, size: 5, hash: hashOf.hello },
      { type: "symlink", path: "link", target: "../outside/canary" },
      { type: "end", entries: 5, bytes: 5, leftOut: {} },
    ]);
  });

  test("follows no symlink", async () => {
    symlinkSync(world.outside, at("out"));
    symlinkSync(join(world.outside, "canary"), at("file-out"));
    const lines = await manifest();
    expect(pathsOf(lines)).toEqual(["file-out", "out"]);
    expect(JSON.stringify(lines)).not.toContain("egg");
  });

  test("tells names that are no UTF-8 by their bytes", async () => {
    writeFileSync(Buffer.concat([Buffer.from(`${world.session}/caf`), Buffer.from([0xe9])]), "hello");
    put("a\nb/ü", "hello");
    const [odd, , inner] = await manifest();
    expect(inner).toMatchObject({ path: "a\nb/ü" });
    expect(odd).toMatchObject({
      path: "caf\ufffd",
      pathBytes: Buffer.from([0x63, 0x61, 0x66, 0xe9]).toString("base64"),
    });
  });

  test("leaves out what .gitignore files name, dependencies, secrets, sockets, and says so", async () => {
    put(".gitignore", "*.log\n/build/\n!keep.log\n");
    put("a.log", "");
    put("keep.log", "");
    put("build/x", "");
    put("sub/build/x", "");
    put("sub/.gitignore", "!a.log\nlocal\n");
    put("sub/a.log", "");
    put("sub/local", "");
    put("node_modules/x/index.js", "");
    put(".env", "TOKEN=1");
    put(".env.example", "TOKEN=");
    put("deploy/server.key", "");
    put(".git/HEAD", "ref");
    put(".git/x.log", "");
    execFileSync("mkfifo", [at("pipe")]);
    const lines = await manifest();
    expect(leftOutOf(lines)).toEqual({
      "a.log": "ignored",
      build: "ignored",
      "sub/local": "ignored",
      node_modules: "dependency",
      ".env": "secret",
      "deploy/server.key": "secret",
      pipe: "special",
    });
    expect(lines.at(-1)).toMatchObject({ leftOut: { ignored: 3, dependency: 1, secret: 2, special: 1 } });
    expect(pathsOf(lines)).toEqual(
      expect.arrayContaining([".env.example", ".git/x.log", "keep.log", "sub/a.log", "sub/build/x"]),
    );
    const all = await manifest("&ignored=true&secrets=true");
    expect(leftOutOf(all)).toEqual({ pipe: "special" });
    expect(pathsOf(all)).toContain("node_modules/x/index.js");
  });

  test("has limits for a file, for all of them, and for their number", async () => {
    put("a", "x".repeat(10));
    put("b", "x".repeat(20));
    put("c", "x".repeat(5));
    expect(leftOutOf(await manifest("&maxFileBytes=15"))).toEqual({ b: "too_large" });
    expect(leftOutOf(await manifest("&maxBytes=16"))).toEqual({ b: "limit" });
    const few = await manifest("&maxEntries=2");
    expect([pathsOf(few), leftOutOf(few)]).toEqual([["a", "b"], { c: "limit" }]);
  });

  test("goes down only so far", async () => {
    const deep = Array.from({ length: 140 }, () => "d").join("/");
    mkdirSync(at(deep), { recursive: true });
    const lines = await manifest();
    expect(pathsOf(lines)).toHaveLength(128);
    expect(Object.values(leftOutOf(lines))).toEqual(["too_deep"]);
  });

  test.each(["manifest", "changes/sse"])("%s of a path outside, of nothing is refused", async (route) => {
    expect(await refused(world, "GET", `/v1/fs/${route}?path=../outside`)).toMatch(/^403 permission_denied/);
    expect(await refused(world, "GET", `/v1/fs/${route}?sessionId=s&path=no`)).toMatch(/^404 not_found/);
  });

  test("of a file is refused", async () => {
    put("file", "");
    expect(await refused(world, "GET", "/v1/fs/manifest?sessionId=s&path=file")).toMatch(/^400 invalid_request/);
  });
});

describe("a second manifest", () => {
  test("is 304 for who has it", async () => {
    put("a/b", "hello");
    const etag = (await tag()) ?? "";
    const again = await ask(world, "GET", "/v1/fs/manifest?sessionId=s", { headers: { "if-none-match": etag } });
    expect([again.status, again.text]).toEqual([304, ""]);
  });

  // The fear: what is remembered hides a change. Each of these is made at once, in the same moment of the file system's clock.
  test.each<[string, () => void]>([
    ["same size", () => writeFileSync(at("a"), "olleh")],
    [
      "same size and time",
      () => {
        writeFileSync(at("a"), "olleh");
        utimesSync(at("a"), 1_600_000_000, 1_600_000_000);
      },
    ],
    ["another mode", () => chmodSync(at("a"), 0o600)],
    ["shorter", () => truncateSync(at("a"), 1)],
    ["gone", () => rmSync(at("a"))],
    ["a new one", () => writeFileSync(at("dir/new"), "")],
    ["renamed", () => renameSync(at("a"), at("b"))],
    ["linked elsewhere", () => linkSync(at("a"), at("dir", "hard"))],
    [
      "a link in its place",
      () => {
        rmSync(at("a"));
        symlinkSync("hello", at("a"));
      },
    ],
    ["ignored since", () => writeFileSync(at(".gitignore"), "a\n")],
    ["ignored in a directory since", () => writeFileSync(at("dir", ".gitignore"), "c\n")],
  ])("sees what changed: %s", async (_, change) => {
    put("a", "hello");
    put("dir/c", "");
    utimesSync(at("a"), 1_600_000_000, 1_600_000_000);
    const before = await tag();
    expect(await tag()).toBe(before);
    change();
    expect(await tag()).not.toBe(before);
  });

  test("reads nothing that has not changed", async () => {
    put("a", "hello");
    put("dir/b", "hello");
    const old = (await tag()) ?? "";
    // What was looked at in the moment it changed is looked at once more.
    await new Promise((resolve) => setTimeout(resolve, 120));
    await tag();
    const reads = () => Number(/^syscr: (\d+)/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
    const before = reads();
    expect(await tag()).toBe(old);
    expect(reads() - before).toBeLessThan(5);
  });
});

describe("a tar", () => {
  const list = (archive: Buffer) => execFileSync("tar", ["-t"], { input: archive, encoding: "utf8" }).split("\n");
  const tar = async (body: object, query = "") => {
    const response = await world.app.request(`/v1/fs/tar?sessionId=s${query}`, { method: "POST", ...json(body) });
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  };

  test("has the chosen paths and no others", async () => {
    put("a", "hello");
    put("b", "");
    put("dir/c", "x".repeat(2_000_000));
    symlinkSync("a", at("link"));
    expect(list(await tar({ paths: ["a", "dir/c", "link", "missing", "dir"] }))).toEqual([
      "a",
      "dir/c",
      "link",
      "dir/",
      "",
    ]);
  });

  test("has all that the manifest lists where none are chosen", async () => {
    put("a", "hello");
    put(".env", "secret");
    put("dir/c", "");
    expect(list(await tar({}))).toEqual(["a", "dir/", "dir/c", ""]);
    expect(list(await tar({}, "&secrets=true"))).toContain(".env");
  });

  test("never has what is outside", async () => {
    symlinkSync(world.outside, at("out"));
    symlinkSync(join(world.outside, "canary"), at("file-out"));
    const paths = [
      "out/canary",
      "../outside/canary",
      join(world.outside, "canary"),
      "file-out",
      "out/nest/egg",
      "./out/../out/canary",
    ];
    const archive = await tar({ paths, pathBytes: [Buffer.from("out/canary").toString("base64")] });
    expect(archive.includes(secret)).toBe(false);
    expect(list(archive)).toEqual(["file-out", ""]);
  });

  test("goes there and back: bytes, modes, times, links, odd names", async () => {
    put("hello.txt", "hello", 0o640);
    put("bin/run", Buffer.from([0, 255, 10]), 0o755);
    put("large", Buffer.alloc(3_000_000, 7));
    put(`${"long/".repeat(60)}file`, "deep");
    put("a\nb/ü", "");
    writeFileSync(Buffer.concat([Buffer.from(`${world.session}/caf`), Buffer.from([0xe9])]), "no UTF-8");
    writeFileSync(Buffer.concat([Buffer.from(`${world.session}/big`), Buffer.from([0xe9])]), Buffer.alloc(300_000, 1));
    if (process.getuid?.() === 0) put("no rights", "for nobody", 0);
    symlinkSync(world.outside, at("out"));
    mkdirSync(at("read-only"));
    put("read-only/inside", "x");
    chmodSync(at("read-only"), 0o555);
    utimesSync(at("hello.txt"), 1_600_000_000, 1_600_000_000);
    const before = (await ask(world, "GET", "/v1/fs/manifest?sessionId=s")).text;
    const outside = treeSnapshot(world.outside);
    const headers = { "content-type": "application/x-tar" };
    const body = await tar({});
    const upload = await ask(world, "POST", "/v1/fs/upload-batch?path=copy&exact=true", { body, headers });
    expect(upload.status, upload.text).toBe(200);
    expect((await ask(world, "GET", "/v1/fs/manifest?path=copy")).text).toBe(before);
    expect(treeSnapshot(world.outside)).toEqual(outside);
    chmodSync(at("read-only"), 0o755);
    chmodSync(join(world.root, "copy", "read-only"), 0o755);
  });

  test("that makes a link and writes through it is refused", async () => {
    mkdirSync(at("in"));
    symlinkSync(world.outside, at("in", "way"));
    const link = execFileSync("tar", ["-c", "-C", at("in"), "way"]);
    rmSync(at("in", "way"));
    mkdirSync(at("in", "way"));
    put("in/way/canary", "changed");
    const file = execFileSync("tar", ["-c", "-C", at("in"), "way/canary"]);
    const body = Buffer.concat([link.subarray(0, 512), file]);
    const headers = { "content-type": "application/x-tar" };
    const before = treeSnapshot(world.outside);
    const call = ["POST", "/v1/fs/upload-batch?path=copy&exact=true", { body, headers }] as const;
    expect(await refused(world, ...call)).toMatch(/^403 permission_denied/);
    expect(treeSnapshot(world.outside)).toEqual(before);
  });
});

describe("paths that are longer than any call takes", () => {
  const name = "n".repeat(250);
  /** Directories in each other, with a file of 300,000 bytes in the last one. */
  const dig = (levels: number) => {
    const steps = `for (let n = 0; n < ${levels}; n++) { fs.mkdirSync("${name}"); process.chdir("${name}"); }
      fs.writeFileSync("large", Buffer.alloc(300_000));`;
    execFileSync(process.execPath, ["-e", steps], { cwd: world.session });
  };
  afterEach(() => execFileSync("rm", ["-rf", world.root]));

  test("go there and back as long as they are short enough from the workspace on", async () => {
    dig(16);
    expect(pathsOf(await manifest()).at(-1)).toHaveLength(16 * 251 + 5);
    const packed = await world.app.request("/v1/fs/tar?sessionId=s", { method: "POST" });
    const body = Buffer.from(await packed.arrayBuffer());
    const headers = { "content-type": "application/x-tar" };
    const upload = await ask(world, "POST", "/v1/fs/upload-batch?path=copy&exact=true", { body, headers });
    expect(upload.status, upload.text).toBe(200);
    const { text: copy } = await ask(world, "GET", "/v1/fs/manifest?path=copy");
    expect(copy).toBe((await ask(world, "GET", "/v1/fs/manifest?sessionId=s")).text);
  });

  test("are left out, with all that is below them, where they are not", async () => {
    dig(20);
    const lines = await manifest();
    expect(pathsOf(lines).map(({ length }) => length)).toEqual(Array.from({ length: 16 }, (_, at) => at * 251 + 250));
    expect(Object.values(leftOutOf(lines))).toEqual(["too_deep"]);
  });
});

describe("deleting many", () => {
  test("deletes what is there, in the directory only", async () => {
    put("a", "");
    put("dir/b", "");
    put("stays", "");
    symlinkSync(world.outside, at("out"));
    const outside = treeSnapshot(world.outside);
    const answer = await ask(
      world,
      "POST",
      "/v1/fs/delete-batch?sessionId=s",
      json({ paths: ["a", "dir", "no", "out"] }),
    );
    expect(answer.json()).toEqual({ deleted: 3, missing: 1 });
    expect(pathsOf(await manifest())).toEqual(["stays"]);
    const foreign = json({ paths: ["../../outside/canary"] });
    expect(await refused(world, "POST", "/v1/fs/delete-batch?sessionId=s", foreign)).toMatch(/^403 permission_denied/);
    expect(treeSnapshot(world.outside)).toEqual(outside);
  });
});
