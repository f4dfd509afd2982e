/** Feared: a person at a terminal who gets JSON, silence or a broken table; a program that gets sentences. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SharedEnd } from "../../daemon/src/__fixtures__/at-end.ts";
import { CliHome } from "./__fixtures__/cli-home.ts";
import { describeInTerminal, type TerminalOptions } from "./__fixtures__/in-terminal.ts";
import { serverKinds, startServerOf } from "./__fixtures__/servers.ts";

describe.each(serverKinds)("with %s", { timeout: 60_000 }, (kind) => {
  let home: CliHome;

  const shared = new SharedEnd();
  beforeAll(async () => {
    home = await CliHome.create(shared.atEnd);
    shared.atEnd(await startServerOf(kind, home, ["--isolation", "none"]));
    await home.run(["sessions", "create", "demo", "--agent", "mock", "--directory", home.path]);
    mkdirSync(join(home.path, "full"));
    writeFileSync(join(home.path, "full", "a.txt"), "x".repeat(2_048));
  }, 120_000);
  afterAll(() => shared.undoAll(), 120_000);

  /** The daemon of the data directory is told with it. */
  const place = () =>
    `${home.env.SANDBOX_AGENT_ENDPOINT}${kind === "a daemon" ? ` (data directory ${home.dataDir})` : ""}`;

  const shown = (args: readonly string[], options: TerminalOptions = {}) => home.terminal(args, options).end();
  const inDemo = ["--session-id", "demo"];

  describeInTerminal("in a terminal", () => {
    it("lists fit the width, in colour, with times that say how long ago", async () => {
      const { text, raw } = await shown(["sessions", "list"], { columns: 60 });
      expect(text).toMatch(/^SESSION +AGENT +STATUS +EVENTS +UPDATED/);
      expect(text).toMatch(/^demo +mock +idle +\d+ +(just now|\d+ (s|min) ago)$/m);
      expect(raw).toContain("\u001b[2mSESSION");
      const agents = await shown(["agents", "list"], { columns: 60 });
      expect(agents.text).toMatch(/^mock +Mock +yes +yes/m);
      for (const line of agents.text.split("\n")) expect(line.length).toBeLessThanOrEqual(60);
    });

    it("NO_COLOR leaves the colours out, FORCE_COLOR brings them into a pipe", async () => {
      expect((await shown(["sessions", "list"], { env: { NO_COLOR: "1" } })).raw).not.toContain("\u001b[");
      home.env.FORCE_COLOR = "1";
      const piped = await home.run(["sessions", "list"]);
      delete home.env.FORCE_COLOR;
      expect(piped.stdout).toContain("\u001b[2m");
    });

    it.each([
      [
        ["sessions", "create", "made", "--agent", "mock"],
        /^Created made\. Talk to it with: sandbox-agent sessions send/,
      ],
      [["sessions", "rename", "made", "A title"], /^made is now called "A title"\.$/m],
      [["sessions", "interrupt", "made"], /^Interrupted made\.$/m],
      [["sessions", "terminate", "made"], /^Ended made; its log stays readable\.$/m],
      [["sessions", "delete", "made"], /^Deleted made\.$/m],
      [["sessions", "send-message", "demo", "echo x"], /^Sent\. See what happens with: /],
      [["agents", "models", "mock"], /^MODEL +NAME +VARIANTS/],
      [["agents", "modes", "mock"], /^build /m],
      [["agents", "install", "mock"], /^mock was installed already\.$/m],
      [
        ["sessions", "update", "demo", "--permission-mode", "bypass"],
        /^Changed demo; it holds from the next turn on\.$/m,
      ],
      [["sessions", "update", "demo", "--permission-mode", "default"], /^Changed demo;/],
      [["fs", "mkdir", "made", ...inDemo], /^Made .*made\.$/m],
      [["fs", "write", "made/b", "--file", "full/a.txt", ...inDemo], /^Wrote 2\.0 kB to .*b\.$/m],
      [["fs", "entries", "made", ...inDemo], /^file +2\.0 kB +(just now|\d+ s ago) +b$/m],
      [["fs", "stat", "made/b", ...inDemo], /^size +2\.0 kB$/m],
      [["fs", "read", "made/b", "--file", "copy", ...inDemo], /^Saved copy\.$/m],
      [["fs", "move", "made/b", "made/c", ...inDemo], /^Moved .*b to .*c\.$/m],
      [["fs", "delete", "made", "--recursive", ...inDemo], /^Deleted .*made\.$/m],
      [["credentials", "extract"], /^No credentials were found\./],
    ])("%j says what was done", async (args, sentence) => {
      const { code, text } = await shown(args);
      expect([code, text]).toEqual([0, expect.stringMatching(sentence)]);
      expect(text).not.toMatch(/[{}]/);
    });

    it("a turn is text, tools are lines, and what waits says how to answer", async () => {
      await home.json("sessions", "create", "talk", "--agent", "mock", "--directory", home.path);
      const { code, text } = await shown(["sessions", "send-message-stream", "talk", "tool"]);
      expect(code).toBe(0);
      expect(text).toMatch(/^● Bash npm test$/m);
      expect(text).toMatch(/^Done: /m);
      expect(text).not.toContain("item.delta");
      const asking = home.terminal(["sessions", "send-message-stream", "talk", "permission"]);
      const [, command] = /Answer with: sandbox-agent (.+) --reply/.exec(await asking.until("--reply once"))!;
      expect((await shown(["sessions", "get", "talk"])).text).toMatch(
        /^waitsFor +permission: Run the command [\s\S]*--reply once/m,
      );
      const answered = await shown([...command!.split(" "), "--reply", "once"]);
      expect(answered.text).toBe("Allowed once.\n");
      expect((await asking.end()).text).toContain(": allowed once\n");
      const replayed = await shown(["sessions", "events", "talk"]);
      expect(replayed.text).toMatch(/^> tool\n/);
      expect(replayed.text).toContain(text);
    });

    it("a failure is one sentence and the daemon it came from, on stderr", async () => {
      const { code, text, raw } = await shown(["sessions", "get", "nobody"]);
      expect([code, text]).toEqual([1, `Error: There is no session "nobody".\nThe daemon is ${place()}.\n`]);
      expect(raw).toContain("\u001b[31mError:");
      expect((await shown(["sessions", "get", "nobody"], { redirect: "2>/dev/null" })).text).toBe("");
    });

    it.each([
      [["fs", "delete", "full", ...inDemo], "Pass --recursive to delete it all."],
      [
        ["sessions", "list", "--token", "wrong"],
        kind === "a daemon" ? "The token is wrong." : "The API key is wrong or was revoked.",
      ],
      [
        ["sessions", "list", "--endpoint", "http://127.0.0.1:2"],
        "No daemon answers at http://127.0.0.1:2: connect ECONNREFUSED",
      ],
    ])("%j fails in words that help", async (args, sentence) => {
      const { code, text } = await shown(args);
      expect(code).toBe(1);
      expect(text).toMatch(/^Error: /);
      expect(text).toContain(sentence);
      expect(text).not.toMatch(/urn:|internal|=true|GET /i);
    });

    it.each([[["--json"]], [["api"]]])("%j asks for JSON all the same, also of failures", async ([word]) => {
      const list = word === "api" ? ["api", "sessions", "list"] : ["sessions", "list", "--json"];
      expect(JSON.parse((await shown(list)).text)).toHaveProperty("sessions");
      const failing = word === "api" ? ["api", "sessions", "get", "nobody"] : ["sessions", "get", "nobody", "--json"];
      expect(JSON.parse((await shown(failing)).text)).toMatchObject({ status: 404 });
      const following = [
        ...(word === "api" ? ["api"] : ["--json"]),
        "sessions",
        "send-message-stream",
        "demo",
        "echo x",
      ];
      expect(JSON.parse((await shown(following)).text.split("\n")[0]!)).toMatchObject({ type: "turn.started" });
    });

    it("stdout in a pipe is for programs, a failure still for whoever sits at the terminal", async () => {
      const redirect = `>${join(home.path, "out.json")}`;
      await shown(["sessions", "send-message-stream", "demo", "echo x"], { redirect });
      const lines = readFileSync(join(home.path, "out.json"), "utf8").trimEnd().split("\n");
      expect(lines.map((line) => JSON.parse(line).type)).toContain("turn.ended");
      expect((await shown(["sessions", "get", "nobody"], { redirect })).text).toMatch(/^Error: There is no session/);
    });

    it("--verbose says which daemon is meant", async () => {
      const { text } = await shown(["sessions", "list", "--verbose"]);
      expect(text).toContain(`The daemon is ${place()}.\n`);
    });
  });

  describe("in a pipe", () => {
    it.each([
      ["create", ["sessions", "create", "piped", "--agent", "mock"]],
      ["send-message", ["sessions", "send-message", "piped", "echo x"]],
      ["mkdir", ["fs", "mkdir", "piped", ...inDemo]],
      ["delete", ["fs", "delete", "piped", ...inDemo]],
    ])("%s prints JSON", async (_, args) => {
      expect(await home.json<object>(...args)).toEqual(expect.any(Object));
    });

    it("a table is whole, however long its lines, and has no colours", async () => {
      const title = "a title that is much longer than any terminal is wide ".repeat(4).trim();
      await home.run(["sessions", "rename", "demo", title]);
      const { stdout } = await home.run(["sessions", "list"]);
      expect(stdout).toContain(title);
      expect(stdout).toMatch(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/);
      expect(stdout).not.toContain("\u001b");
    });
  });

  describe("clients of 0.1.11", () => {
    it("give paths as --path", async () => {
      expect(await home.json("api", "fs", "entries", "--path", "full", ...inDemo)).toEqual([
        expect.objectContaining({ name: "a.txt" }),
      ]);
      expect(await home.json("api", "fs", "stat", "--path", "full/a.txt", ...inDemo)).toMatchObject({ size: 2_048 });
      const missing = await home.run(["fs", "stat", ...inDemo]);
      expect(missing).toMatchObject({ code: 2, stderr: "Missing path: give it as an argument or --path.\n" });
    });
  });
});

describeInTerminal("the daemon itself in a terminal", () => {
  it("says where its inspector is, and whose data directory is in use", async () => {
    const home = await CliHome.create();
    await home.startServer();
    const { text } = await home.terminal(["daemon", "status"]).end();
    expect(text).toMatch(/^inspector +http:\/\/127\.0\.0\.1:\d+\/ui\/#token=/m);
    const second = await home.terminal(["server", "--port", "0"]).end();
    expect([second.code, second.text]).toEqual([1, expect.stringContaining("is in use by the daemon with pid")]);
  });
});

describe("help", () => {
  let home: CliHome;
  const shared = new SharedEnd();
  beforeAll(async () => {
    home = await CliHome.create(shared.atEnd);
  });
  afterAll(() => shared.undoAll());

  it("of a command is shown by `help` and its words", async () => {
    const { code, stdout } = await home.run(["help", "sessions", "create"]);
    expect(code).toBe(0);
    expect(stdout).toContain("Usage: sandbox-agent sessions create");
    expect(stdout).toMatch(/--agent <agent> .*\(required\)/);
    expect((await home.run(["help"])).stdout).toContain("Usage: sandbox-agent [options]");
  });

  it("describes the token of `daemon start` as the one to be", async () => {
    const { stdout } = await home.run(["daemon", "start", "--help"]);
    expect(stdout).toMatch(/--token <token> +token clients must send/);
    expect(stdout.match(/--token <token>/g)).toHaveLength(1);
  });
});
