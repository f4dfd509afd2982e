import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ask, json, refused } from "../../files/__fixtures__/file-client.ts";
import { type FileWorld, makeFileWorld, plantSymlinks, secret } from "../../files/__fixtures__/file-world.ts";

let world: FileWorld;
beforeEach(() => {
  world = makeFileWorld();
});
afterEach(() => world.remove());

const inRoot = (...names: string[]) => join(world.root, ...names);

const put = (path: string, body: string) => ask(world, "PUT", `/v1/fs/file?path=${path}`, { body });
const move = (body: object, query = "") => ["POST", `/v1/fs/move${query}`, json(body)] as const;

describe("writing a file", () => {
  test("makes its directories, counts bytes and leaves nothing else", async () => {
    const answer = await put("a/b/f", "höllo");
    expect(answer.json()).toEqual({ path: inRoot("a", "b", "f"), bytesWritten: 6 });
    expect(readFileSync(inRoot("a", "b", "f"), "utf8")).toBe("höllo");
    expect(readdirSync(inRoot("a", "b"))).toEqual(["f"]);
  });

  test("replaces a file and keeps its mode", async () => {
    writeFileSync(inRoot("f"), "old");
    chmodSync(inRoot("f"), 0o4751);
    await put("f", "new");
    expect(readFileSync(inRoot("f"), "utf8")).toBe("new");
    expect(statSync(inRoot("f")).mode & 0o7777).toBe(0o751);
  });

  test("writes through a symlink that stays inside", async () => {
    writeFileSync(join(world.session, "f"), "old");
    symlinkSync("session/f", inRoot("link"));
    expect((await put("link", "new")).json().path).toBe(join(world.session, "f"));
    expect(readFileSync(join(world.session, "f"), "utf8")).toBe("new");
    expect(lstatSync(inRoot("link")).isSymbolicLink()).toBe(true);
  });

  test("without a body makes an empty file", async () => {
    expect((await ask(world, "PUT", "/v1/fs/file?path=f")).json().bytesWritten).toBe(0);
    expect(statSync(inRoot("f")).size).toBe(0);
  });

  test("refuses a directory, the root, and a file as parent", async () => {
    writeFileSync(inRoot("f"), "");
    for (const path of ["session", ".", "f/below"]) {
      expect(await refused(world, "PUT", `/v1/fs/file?path=${path}`, { body: "x" })).toMatch(/^400 invalid_request/);
    }
  });

  test("a body that breaks off leaves the old file and no other", async () => {
    writeFileSync(inRoot("f"), "old");
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(Buffer.from("new"));
        controller.error(new Error("gone"));
      },
    });
    const init = { body, duplex: "half" } as RequestInit;
    expect(await refused(world, "PUT", "/v1/fs/file?path=f", init)).toMatch(/^400 invalid_request: The body broke off/);
    expect(readFileSync(inRoot("f"), "utf8")).toBe("old");
    expect(readdirSync(world.root).sort()).toEqual(["f", "session"]);
  });
});

describe("deleting", () => {
  test("takes files, empty directories and links, not their targets", async () => {
    plantSymlinks(world);
    writeFileSync(inRoot("f"), "");
    mkdirSync(inRoot("d"));
    for (const path of ["f", "d", "way-out", "file-out", "dangling", "loop"]) {
      expect((await ask(world, "DELETE", `/v1/fs/entry?path=${path}`)).json()).toEqual({ path: inRoot(path) });
    }
    expect(readdirSync(world.root).sort()).toEqual(["relative-out", "session"]);
    expect(readFileSync(join(world.outside, "canary"), "utf8")).toBe(secret);
  });

  test("takes a full directory only when told so", async () => {
    mkdirSync(inRoot("d", "e", "f"), { recursive: true });
    symlinkSync(world.outside, inRoot("d", "e", "out"));
    writeFileSync(inRoot("d", "x"), "");
    expect(await refused(world, "DELETE", "/v1/fs/entry?path=d")).toMatch(/^400 invalid_request: .*recursive=true/);
    expect(existsSync(inRoot("d", "x"))).toBe(true);
    expect((await ask(world, "DELETE", "/v1/fs/entry?path=d&recursive=true")).status).toBe(200);
    expect(existsSync(inRoot("d"))).toBe(false);
    expect(readFileSync(join(world.outside, "nest", "egg"), "utf8")).toBe(secret);
  });

  test("takes names that are not UTF-8 along", async () => {
    mkdirSync(inRoot("d"));
    writeFileSync(Buffer.concat([Buffer.from(`${inRoot("d")}/`), Buffer.from([0xff])]), "x");
    expect((await ask(world, "DELETE", "/v1/fs/entry?path=d&recursive=true")).status).toBe(200);
  });

  test("never takes a root, nor what holds one", async () => {
    mkdirSync(inRoot("holder"));
    for (const path of [".", "session", world.root, world.session, "session/.", "./session/"]) {
      const url = `/v1/fs/entry?recursive=true&path=${encodeURIComponent(path)}`;
      expect(await refused(world, "DELETE", url)).toMatch(/^403 permission_denied: .* is an allowed directory itself/);
    }
    expect(await refused(world, "DELETE", "/v1/fs/entry?recursive=true&path=..")).toMatch(/^403 permission_denied/);
    expect(await refused(world, "DELETE", "/v1/fs/entry?path=none")).toMatch(/^404 not_found/);
    expect(existsSync(world.session)).toBe(true);
  });
});

describe("mkdir", () => {
  test("makes parents, twice if asked", async () => {
    for (const _ of [1, 2]) {
      expect((await ask(world, "POST", "/v1/fs/mkdir?path=a/b/c")).json()).toEqual({ path: inRoot("a", "b", "c") });
    }
    expect(statSync(inRoot("a", "b", "c")).isDirectory()).toBe(true);
    expect((await ask(world, "POST", "/v1/fs/mkdir?path=.")).status).toBe(200);
  });

  test("refuses where a file is", async () => {
    writeFileSync(inRoot("f"), "");
    expect(await refused(world, "POST", "/v1/fs/mkdir?path=f")).toMatch(/^400 invalid_request: "f" is a file/);
    expect(await refused(world, "POST", "/v1/fs/mkdir?path=f/d")).toMatch(/^400 invalid_request/);
  });
});

describe("moving", () => {
  test("renames files and directories, making parents of the target", async () => {
    writeFileSync(inRoot("f"), "x");
    const answer = await ask(world, ...move({ from: "f", to: "a/b/g" }));
    expect(answer.json()).toEqual({ from: inRoot("f"), to: inRoot("a", "b", "g") });
    expect((await ask(world, ...move({ from: "a", to: "c" }))).status).toBe(200);
    expect(readFileSync(inRoot("c", "b", "g"), "utf8")).toBe("x");
  });

  test("is relative to the session when one is named", async () => {
    writeFileSync(join(world.session, "f"), "x");
    expect((await ask(world, ...move({ from: "f", to: "g" }, "?session_id=s"))).json().to).toBe(
      join(world.session, "g"),
    );
  });

  test("keeps an existing target unless overwrite is set", async () => {
    writeFileSync(inRoot("f"), "new");
    writeFileSync(inRoot("g"), "old");
    expect(await refused(world, ...move({ from: "f", to: "g" }))).toMatch(/^400 invalid_request: .*"overwrite": true/);
    expect(readFileSync(inRoot("g"), "utf8")).toBe("old");
    expect((await ask(world, ...move({ from: "f", to: "g", overwrite: true }))).status).toBe(200);
    expect(readFileSync(inRoot("g"), "utf8")).toBe("new");
    expect(existsSync(inRoot("f"))).toBe(false);
  });

  test.each([
    ["a file over a full directory", "file", "full"],
    ["a directory over a file", "full", "file"],
    ["a directory over a full directory", "full", "other"],
    ["a symlink over a full directory", "link", "full"],
  ])("overwrites %s and leaves nothing behind", async (_, from, to) => {
    writeFileSync(inRoot("file"), "");
    symlinkSync(world.outside, inRoot("link"));
    for (const name of ["full", "other"]) mkdirSync(inRoot(name, name), { recursive: true });
    const kind = lstatSync(inRoot(from)).mode;
    const before = readdirSync(world.root);
    expect((await ask(world, ...move({ from, to, overwrite: true }))).status).toBe(200);
    expect(lstatSync(inRoot(to)).mode).toBe(kind);
    expect(readdirSync(world.root)).toEqual(before.filter((name) => name !== from));
  });

  test("replaces a symlink at the target itself, never what it points to", async () => {
    plantSymlinks(world);
    writeFileSync(inRoot("f"), "new");
    expect((await ask(world, ...move({ from: "f", to: "file-out", overwrite: true }))).status).toBe(200);
    expect(readFileSync(join(world.outside, "canary"), "utf8")).toBe(secret);
    expect((await ask(world, ...move({ from: "way-out", to: "session/way-out" }))).status).toBe(200);
    expect(readlinkSync(join(world.session, "way-out"))).toBe(world.outside);
  });

  test("refuses to move a thing into, onto or over its own place, without a trace", async () => {
    mkdirSync(inRoot("a", "b"), { recursive: true });
    for (const [from, to] of [
      ["a", "a/new/c"],
      ["a", "a"],
      ["a/b", "a"],
    ]) {
      expect(await refused(world, ...move({ from, to, overwrite: true } as object))).toMatch(
        /^400 invalid_request: .*the same or/,
      );
    }
    expect(readdirSync(inRoot("a"))).toEqual(["b"]);
  });

  test("refuses roots on either side and misses what is not there", async () => {
    writeFileSync(inRoot("f"), "");
    expect(await refused(world, ...move({ from: "session", to: "x" }))).toMatch(/^403 permission_denied/);
    expect(await refused(world, ...move({ from: "f", to: "session", overwrite: true }))).toMatch(
      /^403 permission_denied/,
    );
    expect(await refused(world, ...move({ from: "none", to: "new/x" }))).toMatch(/^404 not_found/);
    expect(readdirSync(world.root).sort()).toEqual(["f", "session"]);
  });

  test("needs both names", async () => {
    expect(await refused(world, ...move({ from: "f" }))).toMatch(
      /^400 invalid_request: The request body is wrong at "to"/,
    );
    expect(await refused(world, "POST", "/v1/fs/move", { body: "{}" })).toMatch(/^415 unsupported_media_type/);
  });
});
