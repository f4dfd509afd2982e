/**
 * Feared: a sandbox whose daemon lies about its files gets the contents of others, puts files beside the workspace of its next
 * sandbox or of whoever downloads it, or fills the memory of the runtime.
 */
import { createHash } from "node:crypto";
import { tarEnd, tarHeader, tarPadding } from "@sandbox-agent-ts/server/tar";
import { expect, test } from "vitest";
import { startTestRuntime, type TestRuntime, turnsOf } from "../__fixtures__/test-runtime.ts";

const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");
const listed = (path: string, content: string | Buffer, more: object = {}) => {
  const size = Buffer.byteLength(content);
  return { type: "file", path, mode: 0o644, size, mtime: 1_700_000_000_000, hash: sha256(content), ...more };
};
const manifest = (...entries: readonly object[]) =>
  [...entries, { type: "end", entries: entries.length, bytes: 0, leftOut: {} }]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
const tarOf = (...files: readonly (readonly [string, string | Buffer])[]) =>
  Buffer.concat([
    ...files.flatMap(([name, content]) => {
      const bytes = Buffer.from(content);
      const entry = { name: Buffer.from(name), kind: "file", mode: 0o644, size: bytes.length, mtime: 0 } as const;
      return [tarHeader(entry), bytes, tarPadding(bytes.length)];
    }),
    tarEnd(),
  ]);

/** What the daemon says in the place of the truth. */
interface Lies {
  manifest?: (() => Body) | undefined;
  tar?: (() => Body) | undefined;
  /** Takes files in. */
  upload?: ((body: ReadableStream<Uint8Array>) => Promise<Response>) | undefined;
}
type Body = ConstructorParameters<typeof Response>[0];

async function runtimeWith(lies: Lies): Promise<TestRuntime> {
  const network: typeof fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : String(input));
    if (pathname === "/v1/fs/manifest" && lies.manifest) return new Response(lies.manifest());
    if (pathname === "/v1/fs/tar" && lies.tar) return new Response(lies.tar());
    if (pathname === "/v1/fs/upload-batch" && lies.upload) return lies.upload(init?.body as ReadableStream<Uint8Array>);
    return fetch(input, init);
  };
  return startTestRuntime({ network });
}

/** A turn; resolves when its files are kept, or its sandbox is ended. */
async function turn({ client, runtime }: TestRuntime, sessionId: string, count = 1) {
  await client.postMessage(sessionId, { message: "hello" });
  await turnsOf(client, sessionId, count);
  const session = await runtime.sessions.loadSession(sessionId);
  await expect.poll(() => session.isRunning, { timeout: 30_000 }).toBe(false);
  return session.getRuntimeState().sandbox;
}

const stored = async ({ store }: TestRuntime, sessionId: string) => {
  const [last] = await store.checkpoints.checkpoints(sessionId);
  return last ? store.checkpoints.entries(sessionId, last.number, { limit: 10 }) : undefined;
};

test("who knows the hash of a file of somebody else does not get it", async () => {
  const lies: Lies = {};
  const world = await runtimeWith(lies);
  const secret = "the plans of somebody else";
  await world.client.createSession("theirs", { agent: "mock" });
  await world.client.writeFsFile({ sessionId: "theirs", path: "plans" }, secret);
  await turn(world, "theirs");
  expect(await stored(world, "theirs")).toMatchObject([{ path: "plans", hash: sha256(secret) }]);

  await world.client.createSession("mine", { agent: "mock" });
  lies.manifest = () => manifest(listed("stolen", secret));
  lies.tar = () => tarOf();
  await turn(world, "mine");
  expect(await stored(world, "mine")).toEqual([]);
  lies.tar = () => tarOf(["stolen", "something else"]);
  await turn(world, "mine", 2);
  expect(await stored(world, "mine")).toMatchObject([{ path: "stolen", hash: sha256("something else") }]);

  lies.manifest = undefined;
  lies.tar = undefined;
  await world.runtime.sessions.unloadSession("mine");
  const read = world.client.readFsFile({ sessionId: "mine", path: "stolen" });
  expect(new TextDecoder().decode(await read.catch(() => new Uint8Array()))).not.toBe(secret);
});

const many = function* () {
  for (let at = 0; at < 1_000_000; at += 1000) {
    yield Array.from({ length: 1000 }, (_, index) => `${JSON.stringify(listed(`f${at + index}`, ""))}\n`).join("");
  }
};

function streamed(texts: Iterator<string | Buffer>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: (stream) => {
      const next = texts.next();
      if (next.done) stream.close();
      else stream.enqueue(Buffer.from(next.value));
    },
  });
}

const smuggled = tarOf(["../../outside", "x"]);

function* endless() {
  const some = tarOf(...Array.from({ length: 200 }, (_, index) => [`no${index}`, "x".repeat(10_000)] as const));
  for (;;) yield some.subarray(0, -1024);
}

const lies: Readonly<Record<string, [Lies, RegExp]>> = {
  "a path that leaves the workspace": [{ manifest: () => manifest(listed("../x", "")) }, /a path that leads elsewhere/],
  "a million entries": [{ manifest: () => streamed(many()) }, /more than 120000 entries/],
  "a size that hides entries of an archive in a content": [
    { manifest: () => manifest({ ...listed("a", smuggled), size: 0 }), tar: () => tarOf(["a", smuggled]) },
    /another size than its content/,
  ],
  "a file of a petabyte": [
    { manifest: () => manifest({ ...listed("a", "x"), size: 1e15 }), tar: () => streamed(endless()) },
    /larger than any may be/,
  ],
  "a file behind a link": [
    { manifest: () => manifest({ type: "symlink", path: "a", target: "/etc" }, listed("a/b", "x")) },
    /in what is no directory/,
  ],
  "an archive of a thousand times what it listed": [
    { manifest: () => manifest(listed("a", "x")), tar: () => streamed(endless()) },
    /more than it has listed/,
  ],
};

test.each(Object.keys(lies))("a sandbox that tells %s is ended with the reason", { timeout: 120_000 }, async (name) => {
  const [told, reason] = lies[name]!;
  const lying: Lies = {};
  const world = await runtimeWith(lying);
  await world.client.createSession("s", { agent: "mock" });
  await world.client.writeFsFile({ sessionId: "s", path: "good" }, "kept");
  await turn(world, "s");
  Object.assign(lying, told);
  const before = process.memoryUsage().rss;
  expect(await turn(world, "s", 2)).toMatchObject({
    status: "terminated",
    statusMessage: expect.stringMatching(reason),
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
  expect(await stored(world, "s")).toMatchObject([{ path: "good" }]);
  lying.manifest = undefined;
  lying.tar = undefined;
  expect(await turn(world, "s", 3)).toMatchObject({ status: "ready", generation: 2 });
  expect(new TextDecoder().decode(await world.client.readFsFile({ sessionId: "s", path: "good" }))).toBe("kept");
});

test("a sandbox that goes away from its files in the middle fails the turn, and nothing else", async () => {
  const lies: Lies = {};
  const world = await runtimeWith(lies);
  await world.client.createSession("s", { agent: "mock" });
  for (const name of ["a", "b", "c"]) {
    await world.client.writeFsFile({ sessionId: "s", path: name }, Buffer.alloc(3_000_000, name));
  }
  await turn(world, "s");
  await world.runtime.sessions.unloadSession("s");
  lies.upload = async (body) => {
    const reader = body.getReader();
    await reader.read();
    const reading = reader.read();
    await reader.cancel();
    await reading;
    return Response.json({ detail: "The disk is full." }, { status: 500 });
  };
  await world.client.postMessage("s", { message: "hello" });
  const events = await turnsOf(world.client, "s", 2);
  expect(JSON.stringify(events)).toContain("The files could not be restored: The disk is full.");
  lies.upload = undefined;
  expect(await turn(world, "s", 3)).toMatchObject({ status: "ready" });
  expect(await world.client.readFsFile({ sessionId: "s", path: "c" })).toHaveLength(3_000_000);
});

test("of files alike one changes while it is read: all are kept as they were listed", async () => {
  const world = await runtimeWith({
    manifest: () => manifest(listed("a", "same"), listed("b", "same"), listed("c", "same")),
    tar: () => tarOf(["a", "same"], ["b", "same"], ["c", "changed"]),
  });
  await world.client.createSession("s", { agent: "mock" });
  expect(await turn(world, "s")).toMatchObject({ status: "ready" });
  expect(await stored(world, "s")).toMatchObject([
    { path: "a", hash: sha256("same") },
    { path: "b", hash: sha256("same") },
    { path: "c", hash: sha256("same") },
  ]);
});

test("a file that changes while it is read is kept as it came", async () => {
  const world = await runtimeWith({
    manifest: () => manifest(listed("a", "before"), listed("b", "same")),
    tar: () => tarOf(["a", "after it was listed"], ["b", "same"]),
  });
  await world.client.createSession("s", { agent: "mock" });
  expect(await turn(world, "s")).toMatchObject({ status: "ready" });
  const after = "after it was listed";
  expect(await stored(world, "s")).toMatchObject([
    { path: "a", hash: sha256(after), size: after.length },
    { path: "b", hash: sha256("same") },
  ]);
});
