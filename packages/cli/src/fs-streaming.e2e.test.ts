/** Feared: a file larger than memory. The CLI passes it through, in both directions, a little at a time. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SharedEnd } from "../../daemon/src/__fixtures__/at-end.ts";
import { CliHome } from "./__fixtures__/cli-home.ts";
import { serverKinds, startServerOf } from "./__fixtures__/servers.ts";

const MEBIBYTE = 1024 * 1024;
const SIZE = 192 * MEBIBYTE;
/** What the CLI needs for itself, and then much less than the file. */
const BOUND = 160 * MEBIBYTE;

const notePeakMemory = fileURLToPath(new URL("./__fixtures__/note-peak-memory.cjs", import.meta.url));

describe.each(serverKinds)("with %s", { timeout: 60_000 }, (kind) => {
  let home: CliHome;
  const path = (name: string): string => join(home.path, name);

  const shared = new SharedEnd();
  beforeAll(async () => {
    home = await CliHome.create(shared.atEnd);
    if (kind === "a daemon") await home.startServer("--fs-root", home.path);
    else await startRuntime();
    writeFileSync(path("large"), "");
    truncateSync(path("large"), SIZE);
  }, 120_000);
  afterAll(() => shared.undoAll(), 120_000);

  /** Whose files are those of a session. */
  async function startRuntime(): Promise<void> {
    shared.atEnd(await startServerOf("a runtime", home, ["--isolation", "none"]));
    await home.json("sessions", "create", "s", "--agent", "mock", "--directory", home.path);
    await home.run(["sessions", "send-message-stream", "s", "echo the sandbox is there, whose files are read"]);
  }
  const ofSession = kind === "a daemon" ? [] : ["--session-id", "s"];

  /** Run the CLI with files as stdin and stdout; answers its largest size in memory. */
  async function peakOf(args: readonly string[], { stdin, stdout }: { stdin?: string; stdout?: string } = {}) {
    const peakFile = path("peak");
    const child = home.spawnWith({ NODE_OPTIONS: `--require ${notePeakMemory}`, PEAK_MEMORY_FILE: peakFile }, ...args);
    if (stdin !== undefined && child.stdin) createReadStream(stdin).pipe(child.stdin);
    if (stdout === undefined) child.stdout.resume();
    else child.stdout.pipe(createWriteStream(stdout));
    child.stderr.pipe(process.stderr);
    expect(await once(child, "close")).toEqual([0, null]);
    return Number(readFileSync(peakFile, "utf8"));
  }

  describe.skipIf(process.platform !== "linux")("a large file (needs /proc to see the memory)", () => {
    it("is read to stdout", async () => {
      expect(await peakOf(["fs", "read", path("large"), ...ofSession], { stdout: path("out") })).toBeLessThan(BOUND);
      expect(statSync(path("out")).size).toBe(SIZE);
    });

    it("is read to a file", async () => {
      expect(await peakOf(["fs", "read", path("large"), "--file", path("saved"), ...ofSession])).toBeLessThan(BOUND);
      expect(statSync(path("saved")).size).toBe(SIZE);
    });

    it("is written from a file", async () => {
      expect(await peakOf(["fs", "write", path("copy"), "--file", path("large"), ...ofSession])).toBeLessThan(BOUND);
      expect(statSync(path("copy")).size).toBe(SIZE);
    });

    it("is written from stdin", async () => {
      expect(await peakOf(["fs", "write", path("piped"), ...ofSession], { stdin: path("large") })).toBeLessThan(BOUND);
      expect(statSync(path("piped")).size).toBe(SIZE);
    });

    it("is unpacked from a tar", async () => {
      execFileSync("tar", ["cf", path("large.tar"), "-C", home.path, "large"]);
      expect(
        await peakOf(["fs", "upload-batch", path("unpacked"), "--file", path("large.tar"), ...ofSession]),
      ).toBeLessThan(BOUND);
      expect(statSync(path("unpacked/large")).size).toBe(SIZE);
    });
  });

  describe("what cannot be sent", () => {
    it("is refused by the daemon while stdin is still open, and the CLI ends", async () => {
      const child = home.spawn("fs", "write", "/outside-of-every-root", ...ofSession);
      child.stdin?.write("the first of many words");
      const [stderr, exit] = await Promise.all([text(child.stderr), once(child, "exit")]);
      expect(exit).toEqual([1, null]);
      expect(JSON.parse(stderr)).toMatchObject({ type: "urn:sandbox-agent:error:permission_denied" });
    });

    it.each([
      ["a file that is not there", "nowhere", "Cannot read"],
      ["a directory", ".", "is a directory"],
    ])("%s is a mistake on the command line", async (_, file, words) => {
      const { code, stderr } = await home.run(["fs", "write", path("never"), "--file", file, ...ofSession]);
      expect(code).toBe(2);
      expect(stderr).toContain(words);
    });
  });
});
