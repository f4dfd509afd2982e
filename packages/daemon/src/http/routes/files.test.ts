import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FsEntry, FsStat, routes } from "@sandbox-agent-ts/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ask, refused } from "../../files/__fixtures__/file-client.ts";
import { type FileWorld, makeFileWorld, plantSymlinks } from "../../files/__fixtures__/file-world.ts";

let world: FileWorld;
beforeEach(() => {
  world = makeFileWorld();
});
afterEach(() => world.remove());

const inRoot = (...names: string[]) => join(world.root, ...names);

test("every fs route of the table is there", () => {
  const registered = world.app.routes.map(({ method, path }) => `${method} ${path}`);
  const expected = routes.filter(({ tag }) => tag === "fs").map(({ method, path }) => `${method} ${path}`);
  expect(registered.sort()).toEqual(expected.sort());
});

describe("entries", () => {
  test("are a bare array sorted by name, with absolute paths", async () => {
    writeFileSync(inRoot("b"), "12345");
    mkdirSync(inRoot("a"));
    writeFileSync(inRoot("B"), "");
    utimesSync(inRoot("b"), 0, 86_400);
    const entries = FsEntry.array().parse((await ask(world, "GET", "/v1/fs/entries")).json());
    expect(entries.map(({ name, entryType }) => `${name} ${entryType}`)).toEqual([
      "B file",
      "a directory",
      "b file",
      "session directory",
    ]);
    const b = { name: "b", path: inRoot("b"), entryType: "file", size: 5, modified: "1970-01-02T00:00:00.000Z" };
    expect(entries[2]).toEqual(b);
  });

  test("describe a symlink by its target inside, and one that leads out as a file", async () => {
    plantSymlinks(world);
    symlinkSync("session", inRoot("inner"));
    const entries = FsEntry.array().parse((await ask(world, "GET", "/v1/fs/entries?path=.")).json());
    const kinds = Object.fromEntries(entries.map(({ name, entryType }) => [name, entryType]));
    expect(kinds).toMatchObject({ inner: "directory", "way-out": "file", "file-out": "file", dangling: "file" });
    const wayOut = entries.find(({ name }) => name === "file-out");
    expect(wayOut?.size).toBe(lstatSync(inRoot("file-out")).size);
  });

  test("list names that are not UTF-8", async () => {
    writeFileSync(Buffer.concat([Buffer.from(`${world.root}/`), Buffer.from([0xff, 0x61])]), "x");
    expect((await ask(world, "GET", "/v1/fs/entries")).json()).toHaveLength(2);
  });

  test("start at the session's directory when a session is named, in both spellings", async () => {
    writeFileSync(join(world.session, "mine"), "");
    for (const name of ["sessionId", "session_id"]) {
      const entries = (await ask(world, "GET", `/v1/fs/entries?${name}=s`)).json();
      expect(entries.map((entry: FsEntry) => entry.name)).toEqual(["mine"]);
    }
    expect(await refused(world, "GET", "/v1/fs/entries?sessionId=other")).toMatch(/^404 session_not_found/);
  });

  test("exist for directories only", async () => {
    writeFileSync(inRoot("f"), "");
    expect(await refused(world, "GET", "/v1/fs/entries?path=f")).toMatch(
      /^400 invalid_request: "f", or a part of it, is not a dir/,
    );
    expect(await refused(world, "GET", "/v1/fs/entries?path=none")).toMatch(/^404 not_found/);
  });

  test("keep their order and count in a directory larger than one batch", async () => {
    for (let index = 0; index < 150; index++)
      writeFileSync(join(world.session, `f${String(index).padStart(3, "0")}`), "");
    const entries = FsEntry.array().parse((await ask(world, "GET", "/v1/fs/entries?path=session")).json());
    expect(entries.map(({ name }) => name)).toEqual(readdirSync(world.session).sort());
  });
});

describe("stat", () => {
  test("answers for files, directories and the root", async () => {
    writeFileSync(inRoot("f"), "abc");
    const file = FsStat.parse((await ask(world, "GET", "/v1/fs/stat?path=f")).json());
    expect(file).toMatchObject({ path: inRoot("f"), entryType: "file", size: 3 });
    const root = FsStat.parse((await ask(world, "GET", "/v1/fs/stat?path=.")).json());
    expect(root).toMatchObject({ path: world.root, entryType: "directory" });
  });

  test("misses what is not there and tells of a file in the way", async () => {
    writeFileSync(inRoot("f"), "");
    expect(await refused(world, "GET", "/v1/fs/stat?path=none/at/all")).toMatch(/^404 not_found/);
    expect(await refused(world, "GET", "/v1/fs/stat?path=f/below")).toMatch(/^400 invalid_request/);
    expect(await refused(world, "GET", "/v1/fs/stat")).toMatch(
      /^400 invalid_request: The request query is wrong at "path"/,
    );
  });
});

describe("reading a file", () => {
  test("answers its bytes, raw", async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 128]);
    writeFileSync(inRoot("f"), bytes);
    const response = await world.app.request("/v1/fs/file?path=f");
    expect(response.headers.get("content-type")).toBe("application/octet-stream");
    expect(response.headers.get("content-length")).toBe("5");
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
  });

  test("works by absolute path, through symlinks inside, and for empty files", async () => {
    writeFileSync(join(world.session, "f"), "hello");
    writeFileSync(inRoot("empty"), "");
    symlinkSync("session", inRoot("inner"));
    expect((await ask(world, "GET", `/v1/fs/file?path=${encodeURIComponent(join(world.session, "f"))}`)).text).toBe(
      "hello",
    );
    expect((await ask(world, "GET", "/v1/fs/file?path=inner/f")).text).toBe("hello");
    expect((await ask(world, "GET", "/v1/fs/file?path=~/f")).status).toBe(404);
    expect((await ask(world, "GET", "/v1/fs/file?path=empty")).text).toBe("");
  });

  test("refuses directories, pipes and what is missing", async () => {
    execFileSync("mkfifo", [inRoot("pipe")]);
    expect(await refused(world, "GET", "/v1/fs/file?path=session")).toMatch(
      /^400 invalid_request: "session" is a directory/,
    );
    expect(await refused(world, "GET", "/v1/fs/file?path=pipe")).toMatch(
      /^400 invalid_request: "pipe" is not a regular/,
    );
    expect(await refused(world, "GET", "/v1/fs/file?path=none")).toMatch(/^404 not_found/);
  });

  test("HEAD tells the length", async () => {
    writeFileSync(inRoot("f"), "hello");
    const answer = await ask(world, "HEAD", "/v1/fs/file?path=f");
    expect([answer.status, answer.headers.get("content-length"), answer.text]).toEqual([200, "5", ""]);
  });

  test("keeps to the announced length while the file grows, and fails when it shrinks", async () => {
    writeFileSync(inRoot("f"), "hello");
    const grown = await world.app.request("/v1/fs/file?path=f");
    writeFileSync(inRoot("f"), "hello and more");
    expect(await grown.text()).toBe("hello");
    const shrunk = await world.app.request("/v1/fs/file?path=f");
    writeFileSync(inRoot("f"), "hell");
    await expect(shrunk.text()).rejects.toThrow("shrank");
  });
});
