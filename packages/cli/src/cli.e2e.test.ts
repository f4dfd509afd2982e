// The built CLI against a real daemon with the mock agent: what a person types, sees and gets as exit code.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { SharedEnd } from "../../daemon/src/__fixtures__/at-end.ts";
import { CliHome } from "./__fixtures__/cli-home.ts";

let home: CliHome;
let banner: string;

const shared = new SharedEnd();
beforeAll(async () => {
  home = await CliHome.create(shared.atEnd);
  ({ banner } = await home.startServer());
});
afterAll(() => shared.undoAll());

describe("a server in the foreground", () => {
  it("prints how to reach it", () => {
    expect(banner).toMatch(/URL +http:\/\/127\.0\.0\.1:\d+\n/);
    expect(banner).toMatch(/Token +\S+\n/);
  });

  it("prints a command to try that works as it is printed", () => {
    const command = /Try: (.+)/.exec(banner)?.[1] ?? "";
    const { agents } = JSON.parse(execFileSync("sh", ["-c", command], { encoding: "utf8", stdio: "pipe" }));
    expect(agents).toContainEqual(expect.objectContaining({ id: "mock" }));
  });

  it("lets the CLI of the same user in, and nobody with a wrong token", async () => {
    expect((await home.run(["agents", "list"])).code).toBe(0);
    const refused = await home.run(["agents", "list", "--token", "wrong"]);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stderr)).toMatchObject({ type: "urn:sandbox-agent:error:token_invalid", status: 401 });
  });

  it("ends with 0 on SIGTERM and leaves no record behind", async () => {
    const other = await CliHome.create();
    const { server } = await other.startServer("--token", "T");
    const record = join(other.dataDir, "daemon.json");
    expect(readFileSync(record, "utf8")).not.toContain('"token"');
    server.kill("SIGTERM");
    expect(await once(server, "exit")).toEqual([0, null]);
    expect(() => readFileSync(record)).toThrow("ENOENT");
  });

  it("refuses a data directory that is in use, as a problem", async () => {
    const second = await home.run(["server", "--port", "0"]);
    expect(second.code).toBe(1);
    expect(JSON.parse(second.stderr).detail).toContain("in use");
  });
});

describe("what goes wrong", () => {
  it.each([
    [["sessions", "list"]],
    [["sessions", "events-sse", "x"]],
    [["sessions", "send-message-stream", "x", "hello"]],
  ])("on the way to it ends %j at once and says how to start one", async (args) => {
    const { code, stderr } = await home.run([...args, "--endpoint", "http://127.0.0.1:1"]);
    expect(code).toBe(1);
    expect(JSON.parse(stderr).detail).toContain("sandbox-agent daemon start");
  });

  it.each([
    [["sessions", "bogus"]],
    [["sessions", "get"]],
    [["sessions", "create", "x"]],
    [["sessions", "create", "x", "--agent", "mock", "--permission-mode", "yolo"]],
    [["sessions", "send-message", "x"]],
    [["sessions", "events", "x", "--limit", "many"]],
    [["server", "--port", "x"]],
    [["--bogus"]],
  ])("on the command line %j is exit code 2 and a sentence", async (args) => {
    const { code, stderr } = await home.run(args);
    expect(code).toBe(2);
    expect(stderr).not.toBe("");
  });
});

describe("help", () => {
  it.each([
    [[], "chat --agent mock"],
    [["--help"], "chat --agent mock"],
    [["server", "--help"], "--cors-allow-origin"],
    [["sessions", "create", "--help"], "--permission-mode acceptEdits"],
    [["api", "fs", "upload-batch", "--help"], "tar c ."],
    [["daemon", "start", "--help"], "--port 0"],
  ])("%j teaches by example", async (args, example) => {
    const { code, stdout } = await home.run(args);
    expect(code).toBe(0);
    expect(stdout).toContain("Example");
    expect(stdout).toContain(example);
  });

  it("--version is the package's", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect((await home.run(["--version"])).stdout).toBe(`${version}\n`);
  });
});

describe("credentials", () => {
  it("are listed redacted, revealed on request, and exported for the shell", async () => {
    writeFileSync(join(home.path, ".claude.json"), JSON.stringify({ primaryApiKey: "sk-ant-0123456789abcdef" }));
    const listed = await home.run(["credentials", "extract"]);
    expect(listed.stdout).toMatch(/^claude +anthropic +api-key +sk-ant…ef /m);
    expect(listed.stdout).not.toContain("0123456789");
    expect((await home.run(["credentials", "extract", "--reveal"])).stdout).toContain("sk-ant-0123456789abcdef");
    expect((await home.run(["credentials", "extract-env"])).stdout).toBe(
      "export ANTHROPIC_API_KEY=sk-ant-0123456789abcdef\n",
    );
  });

  it("of another home are without the variables of the caller, and this is said", async () => {
    const other = join(home.path, "other");
    mkdirSync(join(other, ".codex"), { recursive: true });
    writeFileSync(join(other, ".codex", "auth.json"), JSON.stringify({ OPENAI_API_KEY: "sk-of-somebody-else" }));
    const caller = { OPENAI_API_KEY: "sk-of-the-caller", CODEX_HOME: home.path, ANTHROPIC_API_KEY: "sk-of-the-caller" };
    Object.assign(home.env, caller);
    onTestFinished(() => {
      for (const name of Object.keys(caller)) delete home.env[name];
    });
    const extract = (...flags: string[]) => home.run(["credentials", "extract-env", "--home-dir", other, ...flags]);
    const { stdout, stderr } = await extract("--no-export");
    expect(stdout).toBe("OPENAI_API_KEY=sk-of-somebody-else\n");
    expect(stderr).toContain(`Looked in ${other} only`);
    expect((await extract("--export", "--provider", "openai")).stdout).toBe(
      "export OPENAI_API_KEY=sk-of-somebody-else\n",
    );
    expect((await extract("--provider", "anthropic")).stdout).toBe("");
    expect((await extract("--agent", "copilot")).stdout).toBe("");
  });

  it("in a pipe hold up nobody", async () => {
    const other = join(home.path, "with-a-pipe");
    mkdirSync(other);
    execFileSync("mkfifo", [join(other, ".claude.json")]);
    const { code, stderr } = await home.run(["credentials", "extract", "--home-dir", other]);
    expect([code, stderr]).toEqual([0, expect.stringContaining(".claude.json: it is not a file.")]);
  });
});
