import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { commonErrors, errorCodes, ProblemDetails } from "@sandbox-agent-ts/protocol";
import fc from "fast-check";
import { type Header, pack } from "tar-stream";
import { expect, test } from "vitest";
import { everyOperation } from "../../files/__fixtures__/file-client.ts";
import { type FileWorld, makeFileWorld, plantSymlinks, secret } from "../../files/__fixtures__/file-world.ts";
import { treeSnapshot } from "../../files/__fixtures__/tree-snapshot.ts";

const documented = new Set([200, ...commonErrors.map((code) => errorCodes[code].status)]);

const part = fc.oneof(
  fc.constantFrom("..", "..", ".", "", "way-out", "relative-out", "file-out", "dangling", "loop", "inner", "file"),
  fc.constantFrom("session", "canary", "nest", "egg", "new", "~", "%2e%2e", "..%2f..", "..\\..", "\u2025", "...", " "),
  fc.constantFrom("a\0b", "\0", "n".repeat(300), "ü".repeat(200), "\ud800", "\n", "con", "-rf"),
  fc.string({ unit: "binary", maxLength: 12 }),
);
const start = fc.constantFrom("", "", "", "/", "//", "./", "ROOT/", "OUTSIDE/", "ROOT/../outside/", "/nowhere/");
const anyPath = fc
  .tuple(start, fc.array(part, { maxLength: 8 }), fc.constantFrom("", "", "/"))
  .map(([first, parts, last]) => first + parts.join("/") + last);

function plant(): FileWorld {
  const world = makeFileWorld();
  plantSymlinks(world);
  mkdirSync(join(world.root, "inner", "session"), { recursive: true });
  writeFileSync(join(world.root, "file"), "content");
  return world;
}

const placed = (path: string, { root, outside }: FileWorld) => path.replace("ROOT", root).replace("OUTSIDE", outside);

/** Runs requests against a fresh world and holds them to: a documented answer, no bug, and not a trace outside. */
async function nothingEscapes(requests: (world: FileWorld) => Promise<Response>[] | Generator<Promise<Response>>) {
  const world = plant();
  try {
    const before = treeSnapshot(world.outside);
    for (const answer of requests(world)) await expectDocumented(await answer);
    expect(treeSnapshot(world.outside)).toEqual(before);
  } finally {
    await world.remove();
  }
}

async function expectDocumented(response: Response): Promise<void> {
  const text = await response.text();
  expect(text).not.toContain(secret);
  expect(documented).toContain(response.status);
  if (response.status === 200) return;
  const problem = ProblemDetails.parse(JSON.parse(text));
  expect(problem.status, problem.detail ?? "").toBeLessThan(500);
  expect(response.status).toBe(problem.status);
}

test("no path makes any operation touch or show what is outside", async () => {
  const property = fc.asyncProperty(anyPath, fc.constantFrom("", "&session_id=s"), (path, session) =>
    nothingEscapes(function* (world) {
      for (const [method, url, init] of everyOperation(placed(path, world))) {
        writeFileSync(join(world.root, "mover"), "");
        yield world.app.request(`${url}${url.includes("?") ? session : ""}`, { method, ...init }) as Promise<Response>;
      }
    }),
  );
  await fc.assert(property, { numRuns: 150 });
});

test("nor does a query that is not well-formed", async () => {
  const name = fc.constantFrom("path", "Path", "session_id", "sessionId", "recursive", "path[]", "__proto__");
  const query = fc.array(fc.tuple(name, fc.oneof(anyPath, fc.constantFrom("%", "%ff", "true", "s", "+"))), {
    maxLength: 4,
  });
  const property = fc.asyncProperty(query, (pairs) => {
    const text = pairs.map(([key, value]) => `${key}=${value.replaceAll("#", "%23")}`).join("&");
    return nothingEscapes(({ app }) => [
      app.request(`/v1/fs/entries?${text}`) as Promise<Response>,
      app.request(`/v1/fs/file?${text}`, { method: "PUT", body: "x" }) as Promise<Response>,
      app.request(`/v1/fs/entry?${text}`, { method: "DELETE" }) as Promise<Response>,
    ]);
  });
  await fc.assert(property, { numRuns: 150 });
});

const type = fc.constantFrom<Header["type"]>(
  "file",
  "file",
  "file",
  "directory",
  "symlink",
  "link",
  "fifo",
  "block-device",
);
const item = fc.record({ name: anyPath, linkname: anyPath, type, mode: fc.integer({ min: 0, max: 0o7777 }) });

async function tarOf(items: Partial<Header>[], world: FileWorld): Promise<Buffer> {
  const packing = pack();
  for (const { name = "", linkname = "", type = "file", ...rest } of items) {
    const target = type === "symlink" || type === "link" ? { linkname: placed(linkname, world) || "x" } : {};
    packing.entry({ ...rest, type, name: placed(name, world) || ".", ...target }, type === "file" ? "content" : "");
  }
  packing.finalize();
  return buffer(packing as AsyncIterable<Uint8Array>);
}

function upload({ app }: FileWorld, body: Buffer): Promise<Response> {
  const headers = { "content-type": "application/x-tar" };
  return app.request("/v1/fs/upload-batch", { method: "POST", body, headers }) as Promise<Response>;
}

test("no archive writes outside, whatever its entries are called and are", async () => {
  const property = fc.asyncProperty(fc.array(item, { maxLength: 4 }), (items) =>
    nothingEscapes((world) => [tarOf(items, world).then((body) => upload(world, body))]),
  );
  await fc.assert(property, { numRuns: 150 });
});

test("a damaged archive is refused or unpacked, never a crash", async () => {
  const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
  const good = [{ name: "a/b" }, { name: `${"long/".repeat(40)}f` }, { name: "way-out/canary" }];
  const property = fc.asyncProperty(damage, fc.nat(), (flips, cut) =>
    nothingEscapes((world) => [
      tarOf(good, world).then((body) => {
        for (const [at, byte] of flips) body[at % body.length] = byte;
        return upload(world, cut % 3 === 0 ? body.subarray(0, cut % body.length) : body);
      }),
    ]),
  );
  await fc.assert(property, { numRuns: 150 });
});
