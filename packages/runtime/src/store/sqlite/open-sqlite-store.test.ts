/** Feared: two runtimes in one file, a file that others read, an old program that spoils the data of a newer one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { appendTexts, leased, sampleKey, sampleSession } from "../contract/samples.ts";
import type { RuntimeStore } from "../runtime-store.ts";
import { bundle } from "./__fixtures__/bundle.ts";
import { Connection, loadDriver } from "./connection.ts";
import { openSqliteStore, type SqliteStoreOptions } from "./open-sqlite-store.ts";

let directory: string;
let file: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "sandbox-agent-sqlite-"));
  file = join(directory, "data", "runtime.db");
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
});

async function open(options?: SqliteStoreOptions): Promise<RuntimeStore> {
  const store = await openSqliteStore(file, options);
  onTestFinished(() => store.close());
  return store;
}

/** Look into the file past the store. */
async function inspect<T>(work: (connection: Connection) => T): Promise<T> {
  const connection = new Connection((await loadDriver())(file));
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}

describe("a store in a file", () => {
  it.skipIf(process.platform === "win32")("is for its owner alone (not on Windows)", async () => {
    const store = await open();
    await store.createSession(sampleSession("s"));
    expect(statSync(join(directory, "data")).mode & 0o777).toBe(0o700);
    const names = readdirSync(join(directory, "data")).toSorted();
    expect(names).toEqual(["runtime.db", "runtime.db-lock", "runtime.db-shm", "runtime.db-wal"]);
    for (const name of names) expect(statSync(join(directory, "data", name)).mode & 0o777).toBe(0o600);
  });

  it("is one store for ever, and another than every other", async () => {
    const first = await open();
    await first.close();
    const again = await open();
    expect(again.storeId).toBe(first.storeId);
    file = join(directory, "other.db");
    expect((await open()).storeId).not.toBe(first.storeId);
  });

  it("that was closed refuses everything", async () => {
    const store = await open();
    await store.close();
    await expect(store.sessions({ limit: 1 })).rejects.toThrow(`${file} is closed.`);
    await expect(store.createSession(sampleSession("s"))).rejects.toThrow(`${file} is closed.`);
  });

  it("of a newer version is refused with a sentence, and left as it is", async () => {
    await (await open()).close();
    const version = () => inspect((connection) => connection.all("SELECT value FROM store WHERE name = 'version'"));
    const [today] = (await version()) as [{ value: string }];
    await inspect((connection) => connection.exec("UPDATE store SET value = '99' WHERE name = 'version'"));
    await expect(open()).rejects.toThrow(
      `${file} was written by a newer version (database version 99, this one knows ${today.value}). Update sandbox-agent`,
    );
    expect(await version()).toEqual([{ value: "99" }]);
    await inspect((connection) => connection.exec(`UPDATE store SET value = '${today.value}' WHERE name = 'version'`));
    await open();
  });

  it("is not made of a file that is no database", async () => {
    file = join(directory, "letter.txt");
    writeFileSync(file, "Dear database,\n".repeat(100));
    await expect(open()).rejects.toThrow(/^Cannot keep data in .*letter\.txt \(.*not a database\)/);
    await expect(open()).rejects.toThrow("move it away or choose another place");
  });
});

describe("a store that a runtime has", () => {
  const sentence = () => `${file} is in use by another runtime. Stop it, or start this one with another --data-dir.`;

  it("is refused to a second one, until the first closes it", async () => {
    const first = await open();
    await expect(open()).rejects.toThrow(sentence());
    await expect(open()).rejects.toThrow(sentence());
    await first.createSession(sampleSession("s"));
    await first.close();
    expect(await (await open()).session("s")).toBeDefined();
  });

  it("is refused to another process, and free when its holder is killed", { timeout: 60_000 }, async () => {
    const program = await bundle("holder", directory);
    const holder = spawn(process.execPath, [program, file], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void holder.kill("SIGKILL"));
    await Promise.race([
      once(holder.stdout, "data"),
      once(holder, "close").then(([code]) => expect(code).toBe("alive")),
    ]);
    await expect(open()).rejects.toThrow(sentence());
    holder.kill("SIGKILL");
    await once(holder, "close");
    expect(await (await open()).profile("of the holder")).toBeDefined();
  });

  it("can be visited by a guest, and both see what the other does", async () => {
    const runtime = await open();
    const guest = await open({ isGuest: true });
    await guest.putKey(sampleKey("k"));
    expect(await runtime.keyByHash("hash of k")).toEqual(sampleKey("k"));
    await runtime.createSession(sampleSession("s"));
    expect(await guest.session("s")).toBeDefined();
    await guest.close();
    await expect(open()).rejects.toThrow(sentence());
    await runtime.createSession(sampleSession("t"));
  });
});

describe("what a forgotten session had", () => {
  const rowsIn = (connection: Connection) =>
    ["events", "payloads", "turns", "leftovers"].map((table) => connection.all(`SELECT 1 FROM ${table}`).length);

  it("is removed from the file piece by piece, and after a restart if need be", async () => {
    const store = await open();
    const lease = await leased(store, "s");
    for (let n = 0; n < 150; n++) await appendTexts(store, lease, ["x"]);
    await store.deleteSession("s");
    await store.close();
    expect((await inspect(rowsIn))[3]).toBe(1);

    const again = await open();
    await expect.poll(() => inspect(rowsIn)).toEqual([0, 0, 0, 0]);
    await again.close();
  });
});
