import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { UsageError } from "../usage-error.ts";
import { parseServerFlags } from "./parse-server-flags.ts";
import { serverArguments } from "./server-arguments.ts";
import { type ServerSettings, serverSettings } from "./server-settings.ts";

const home = { HOME: "/home/somebody" };
const read = (args: string[], env: Record<string, string> = {}): ServerSettings =>
  serverSettings(parseServerFlags(args), { ...home, ...env });

describe("server settings", () => {
  it("are safe and local without any flag", () => {
    expect(read([])).toEqual({
      host: "127.0.0.1",
      port: 2468,
      token: undefined,
      cors: { origins: [], methods: [], headers: [], credentials: false },
      dataDir: "/home/somebody/.local/share/sandbox-agent",
      fsRoots: [],
      acpAgents: [],
      acpAgentsFile: undefined,
      autoInstall: true,
      ui: true,
      ephemeral: false,
      logLevel: "info",
      logFormat: undefined,
      quiet: false,
    });
  });

  it("installing with a session is switched off by a flag or a variable", () => {
    expect(read(["--no-auto-install"]).autoInstall).toBe(false);
    expect(read([], { SANDBOX_AGENT_AUTO_INSTALL: "off" }).autoInstall).toBe(false);
    expect(read([], { SANDBOX_AGENT_AUTO_INSTALL: "on" }).autoInstall).toBe(true);
  });

  it("take every flag, short or long, repeated where that makes sense", () => {
    const short = ["-H", "::1", "-p", "0", "-t", "T", "-O", "a", "-O", "b", "-M", "GET", "-A", "x-y", "-C", "-q"];
    const long = ["--data-dir", "/d", "--fs-root", "/r1", "--fs-root=/r2", "--ephemeral", "--log-level", "debug"];
    const agents = ["--acp-agent", "a=x acp", "--acp-agent=b=y", "--acp-agents-file", "/f.json", "--no-ui"];
    const logs = ["--log-format", "json", "--no-telemetry", "--log-to-file"];
    expect(read([...logs, ...short, ...long, ...agents])).toEqual({
      host: "::1",
      port: 0,
      token: "T",
      cors: { origins: ["a", "b"], methods: ["GET"], headers: ["x-y"], credentials: true },
      dataDir: "/d",
      fsRoots: ["/r1", "/r2"],
      acpAgents: ["a=x acp", "b=y"],
      acpAgentsFile: "/f.json",
      autoInstall: true,
      ui: false,
      ephemeral: true,
      logLevel: "debug",
      logFormat: "json",
      quiet: true,
    });
  });

  it("read token and data directory from the environment, flags winning", () => {
    const env = { SANDBOX_AGENT_TOKEN: "E", SANDBOX_AGENT_DATA_DIR: "/env" };
    expect(read([], env)).toMatchObject({ token: "E", dataDir: "/env" });
    expect(read(["-t", "T", "--data-dir", "/flag"], env)).toMatchObject({ token: "T", dataDir: "/flag" });
    expect(read(["--no-token"], env)).toMatchObject({ token: null });
    expect(read([], { SANDBOX_AGENT_TOKEN: "" })).toMatchObject({ token: undefined });
  });

  it("follow XDG_DATA_HOME when it is absolute", () => {
    expect(read([], { XDG_DATA_HOME: "/xdg" }).dataDir).toBe("/xdg/sandbox-agent");
    expect(read([], { XDG_DATA_HOME: "xdg" }).dataDir).toBe("/home/somebody/.local/share/sandbox-agent");
  });

  it.each([
    [["--port", "70000"], "--port"],
    [["--port", "x"], "--port"],
    [["--log-level", "loud"], "--log-level"],
    [["--token", "T", "--no-token"], "exclude each other"],
    [["--token", ""], "--token"],
    [["--bogus"], "--bogus"],
    [["--host"], "--host"],
    [["extra"], "extra"],
  ])("refuse %j with a sentence about it", (args, words) => {
    expect(() => read(args)).toThrow(UsageError);
    expect(() => read(args)).toThrow(words);
  });

  it("survive being turned into arguments, all but the token", () => {
    const settings = read([
      "-H",
      "::",
      "-p",
      "9",
      "-O",
      "*",
      "-M",
      "PUT",
      "-A",
      "h",
      "-C",
      "--fs-root",
      "/r",
      "--data-dir",
      "/d",
      "--acp-agent",
      "a=x 'y z'",
      "--acp-agents-file",
      "agents.json",
      "--no-auto-install",
      "--no-ui",
      "--log-format",
      "text",
    ]);
    expect(settings.acpAgentsFile).toBe(resolve("agents.json"));
    expect(read(serverArguments(settings))).toEqual(settings);
    expect(read(serverArguments({ ...settings, token: null })).token).toBeNull();
    expect(serverArguments({ ...settings, token: "secret" }).join(" ")).not.toContain("secret");
  });
});
