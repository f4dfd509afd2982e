import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SharedEnd } from "../../../daemon/src/__fixtures__/at-end.ts";
import { CliHome, jsonLines } from "../__fixtures__/cli-home.ts";
import { describeInTerminal } from "../__fixtures__/in-terminal.ts";
import { serverKinds, startServerOf } from "../__fixtures__/servers.ts";

describeInTerminal("run in a terminal", () => {
  it("starts a daemon, shows the turn, asks in place, and tells how to go on", async () => {
    const home = await CliHome.create();
    const run = home.terminal(["run", "permission", "--agent", "mock"]);
    await run.until("Allow?");
    run.type("y\r");
    const { code, text } = await run.end();
    expect(code).toBe(0);
    expect(text).toMatch(/Started a daemon at http:\/\/127\.0\.0\.1:\d+/);
    expect(text).toContain("Run the command rm -r build");
    expect(text).toContain("I removed the build folder: you allowed it this once.");
    expect(text).toMatch(/Go on with: sandbox-agent chat run-[0-9a-f]{8}/);
  });

  it("says that a program has to be installed first, so that nobody wonders what it waits for", async () => {
    const home = await CliHome.create();
    home.env.SANDBOX_AGENT_NPM_REGISTRY = "http://127.0.0.1:9";
    home.env.SANDBOX_AGENT_CACHE_DIR = join(home.path, "cache");
    for (const command of ["run hello", "chat"]) {
      const { code, text } = await home.terminal([...command.split(" "), "--agent", "gemini"]).end();
      expect(text).toContain("Installing gemini, which takes a while the first time …");
      expect(text).toMatch(/Error: .*registry/s);
      expect(code).toBe(1);
    }
  });

  it("shows what changed, in a git repository", async () => {
    const home = await CliHome.create();
    await home.startServer();
    const script = join(home.path, "agent-change.txt");
    execFileSync("git", ["init", "-q", home.path]);
    writeFileSync(script, "before\n");
    const run = home.terminal(["run", "permission", "--agent", "mock", "--dir", home.path]);
    await run.until("Allow?");
    writeFileSync(script, "after\n");
    run.type("y\r");
    const { text } = await run.end();
    expect(text).toContain("-before");
    expect(text).toContain("+after");
    expect(readFileSync(script, "utf8")).toBe("after\n");
  });
});

describe.each(serverKinds)("run with %s", { timeout: 120_000 }, (kind) => {
  let home: CliHome;
  const shared = new SharedEnd();
  beforeAll(async () => {
    home = await CliHome.create(shared.atEnd);
    shared.atEnd(await startServerOf(kind, home));
  }, 120_000);
  afterAll(() => shared.undoAll(), 120_000);

  describeInTerminal("in a terminal", () => {
    it("tells the agent why something is refused", async () => {
      const run = home.terminal(["run", "permission", "--agent", "mock", "--session", "refuse"]);
      await run.until("Allow?");
      run.type("keep the build folder\r");
      expect((await run.end()).code).toBe(0);
      const { events } = await home.json<{ events: { type: string; data: object }[] }>(
        "api",
        "sessions",
        "events",
        "refuse",
        "--json",
      );
      const resolved = events.find(({ type }) => type === "permission.resolved");
      expect(resolved?.data).toMatchObject({
        status: "denied",
        resolved_by: "person",
        reason: "keep the build folder",
      });
    });

    it.each([
      ["Esc", "\x1b"],
      ["Ctrl-C", "\x03"],
    ])("%s stops the turn", async (_name, key) => {
      const run = home.terminal(["run", "permission", "--agent", "mock"]);
      await run.until("Allow?");
      run.type(key);
      const { code, text } = await run.end();
      expect(code).toBe(130);
      expect(text).toContain("Interrupted.");
    });

    it("stops asking when somebody else has answered", async () => {
      const run = home.terminal(["run", "permission", "--agent", "mock", "--session", "both"]);
      await run.until("Allow?");
      const { pendingPermissions } = await home.json<{ pendingPermissions: string[] }>(
        "api",
        "sessions",
        "get",
        "both",
      );
      await home.run(["sessions", "reply-permission", "both", pendingPermissions[0] ?? "", "--reply", "once"]);
      expect(await run.end()).toMatchObject({ code: 0, text: expect.stringContaining("I removed the build folder") });
    });
  });

  it("in a pipe only the answer goes to stdout, and what is asked is refused with exit code 3", async () => {
    const { code, stdout, stderr } = await home.run(["run", "-", "--agent", "mock"], "permission");
    expect(code).toBe(3);
    expect(stdout).toMatch(/^I left the build folder alone: you rejected it: Nobody can be asked.*\n$/);
    expect(stderr).toContain("nobody can be asked (--yes or --policy decide without): Run the command rm -r build");
  });

  it("in a pipe the messages of one answer are paragraphs", async () => {
    const { stdout } = await home.run(["run", "tool", "--agent", "mock"]);
    expect(stdout).toBe("I look around, run the tests, change a file and ask a subagent.\n\nAll four are done.\n");
  });

  it("--yes allows, --json prints events", async () => {
    const child = home.spawn("run", "permission", "--agent", "mock", "--yes", "--json");
    const types: string[] = [];
    for await (const { type } of jsonLines(child.stdout)) types.push(type);
    expect(types).toEqual(expect.arrayContaining(["turn.started", "permission.resolved", "turn.ended"]));
  });

  it("a turn that fails is exit code 1 with its reason, and no task is wrong usage", async () => {
    const failed = await home.run(["run", "error", "--agent", "mock"]);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining("The turn failed: ") });
    expect((await home.run(["run", "--agent", "mock"])).code).toBe(2);
    const unknown = await home.run(["run", "hello", "--agent", "nobody"]);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("nobody") });
  });

  it("without --agent and without a terminal it says which there are", async () => {
    const { code, stderr } = await home.run(["run", "hello"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/Say which agent with --agent: .*mock/);
  });
});
