import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildUi } from "../../../../scripts/setup.mjs";
import { CliHome } from "../__fixtures__/cli-home.ts";
import { describeInTerminal } from "../__fixtures__/in-terminal.ts";
import { openerOf } from "./open-command.ts";

const buildTimeoutMs = 120_000;

let home: CliHome;
let started: { url: string; inspector: string; log: string };

beforeAll(() => buildUi(), buildTimeoutMs);
beforeEach(async () => {
  home = await CliHome.create();
  started = await home.json("daemon", "start", "--port", "0", "--json");
});

/** A browser that only writes down what it was asked to open. */
function fakeBrowser(): string {
  mkdirSync(join(home.path, "bin"));
  const path = join(home.path, "bin", "browser");
  writeFileSync(path, `#!/bin/sh\nprintf %s "$1" > "$HOME/asked.tmp" && mv "$HOME/asked.tmp" "$HOME/asked"\n`);
  chmodSync(path, 0o755);
  return path;
}

describe("open", () => {
  it("prints the link where that is wanted, or where there is no browser", async () => {
    expect((await home.run(["open", "--print"])).stdout).toBe(`${started.inspector}\n`);
    expect((await home.run(["open"])).stdout).toContain(started.inspector);
    expect(await home.json("open", "--json")).toEqual({ inspector: started.inspector });
  });

  it("opens it without showing the token to other users", async () => {
    home.env.BROWSER = fakeBrowser();
    expect(await home.run(["open"])).toEqual({ code: 0, stdout: "", stderr: "" });
    await expect.poll(() => readIfThere(join(home.path, "asked"))).toMatch(/^file:.*open\.html$/);
    const page = fileURLToPath(readFileSync(join(home.path, "asked"), "utf8"));
    expect(readFileSync(page, "utf8")).toContain(`url=${started.inspector}"`);
    expect(statSync(page).mode & 0o777).toBe(0o600);
  });

  it("says when no inspector is served", async () => {
    await home.run(["daemon", "stop"]);
    await home.json("daemon", "start", "--port", "0", "--no-ui", "--json");
    const { code, stderr } = await home.run(["open"]);
    expect([code, JSON.parse(stderr).detail]).toEqual([1, expect.stringContaining("No inspector is served at")]);
  });

  it.each([
    ["linux", {}, undefined],
    ["linux", { DISPLAY: ":0" }, ["xdg-open"]],
    ["linux", { WAYLAND_DISPLAY: "wayland-0" }, ["xdg-open"]],
    ["linux", { BROWSER: "lynx" }, ["lynx"]],
    ["darwin", {}, ["open"]],
    ["win32", {}, ["rundll32", "url.dll,FileProtocolHandler"]],
  ] as const)("on %s with %j uses %j", (platform, env, opener) => {
    expect(openerOf(platform, env)).toEqual(opener);
  });
});

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

describe("logs", () => {
  it("prints the last lines as they are, for programs", async () => {
    for (const path of ["/v1/agents", "/v1/sessions"]) await fetch(started.url + path);
    const { stdout } = await home.run(["logs", "--lines", "1"]);
    expect(JSON.parse(stdout)).toMatchObject({ msg: "request", url: "/v1/sessions" });
    expect((await home.run(["logs", "--lines", "0"])).stdout).toBe("");
    expect((await home.run(["logs", "--lines", "x"])).code).toBe(2);
  });

  it("says where a log would come from when there is none", async () => {
    const { code, stderr } = await home.run(["logs", "--data-dir", join(home.path, "none")]);
    expect([code, JSON.parse(stderr).detail]).toEqual([1, expect.stringContaining("sandbox-agent daemon start")]);
  });
});

describeInTerminal("in a terminal", () => {
  it("logs are text, and followed until Ctrl-C", async () => {
    const logs = home.terminal(["logs", "-f"]);
    await fetch(`${started.url}/v1/agents`);
    await logs.until(/^\d\d:\d\d:\d\d info {2}GET \/v1\/agents 401 \d+ ms$/m);
    await fetch(`${started.url}/v1/sessions`);
    await logs.until("GET /v1/sessions 401");
    logs.type("\x03");
    expect(await logs.exited).toBe(130);
  });

  it("open says what it opened, or shows the link", async () => {
    expect((await home.terminal(["open"]).end()).text).toContain(`The link is:\n${started.inspector}\n`);
    home.env.BROWSER = fakeBrowser();
    expect((await home.terminal(["open"]).end()).text).toBe(`Opened ${started.url}/ui/.\n`);
  });
});
