/** Feared: a file installed that is not the one that was released, half of one, or a good one replaced by nothing. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { inRoot } from "./root.mjs";

const script = inRoot("install.sh");
/** Stands for the executable: it is only asked for its version. */
const program = "#!/bin/sh\necho 1.2.3\n";
const basics = ["sh", "uname", "mkdir", "mktemp", "rm", "mv", "chmod", "cat"];

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

let home: string;
let files: Record<string, string>;
let listener: RequestListener;
let env: Record<string, string>;

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const installed = () => join(home, ".local", "bin", "sandbox-agent");

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "install-script-"));
  files = {};
  listener = ({ url = "" }, response) => {
    const text = files[url.slice("/release/".length)];
    response.writeHead(text === undefined ? 404 : 200).end(text);
  };
  const server = createServer((request, response) => listener(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  env = { HOME: home, SANDBOX_AGENT_BASE_URL: `http://127.0.0.1:${port}/release/`, PATH: tools("curl", "sha256sum") };
  machine("Linux", "x86_64");
  release(
    "sandbox-agent-linux-x64",
    "sandbox-agent-linux-arm64",
    "sandbox-agent-darwin-arm64",
    "sandbox-agent-win32-x64.exe",
  );
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    rmSync(home, { recursive: true });
  });
});

/** A folder for the PATH that has these tools of the machine and no others. */
function tools(...names: string[]): string {
  const folder = mkdtempSync(join(home, "tools-"));
  for (const name of [...basics, ...names]) symlinkSync(findTool(name)!, join(folder, name));
  return folder;
}

function findTool(name: string): string | undefined {
  const places = (process.env.PATH ?? "").split(delimiter);
  return places.map((place) => join(place, name)).find((path) => existsSync(path));
}

/** A test that needs tools which not every machine has. */
function testWith(names: readonly string[], title: string, run: () => Promise<void>): void {
  const missing = names.filter((name) => findTool(name) === undefined);
  const reason = missing.length > 0 ? ` (not here: there is no ${missing.join(", ")})` : "";
  test.skipIf(missing.length > 0)(title + reason, run);
}

/** Make `uname` say that it is this machine. */
function machine(system: string, processor: string): void {
  const folder = mkdtempSync(join(home, "machine-"));
  writeFileSync(join(folder, "uname"), `#!/bin/sh\n[ "$1" = -s ] && echo ${system} || echo ${processor}\n`);
  chmodSync(join(folder, "uname"), 0o755);
  env.PATH = `${folder}${delimiter}${env.PATH}`;
}

function release(...names: string[]): void {
  for (const name of names) files[name] = `${program}# ${name}\n`;
  files.SHA256SUMS = names.map((name) => `${sha256(files[name]!)}  ${name}\n`).join("");
}

function install(): Promise<Result> {
  return new Promise((resolve) => {
    execFile("/bin/sh", [script], { env, cwd: home }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

/** What a failed installation leaves: nothing, or the program that was there before. */
async function expectRefusal(sentence: string | RegExp): Promise<void> {
  expect(await install()).toMatchObject({ code: 1, stderr: expect.stringMatching(sentence), stdout: "" });
  expect(existsSync(installed())).toBe(false);
  mkdirSync(join(home, ".local", "bin"), { recursive: true });
  writeFileSync(installed(), "the old one");
  expect((await install()).code).toBe(1);
  expect(readFileSync(installed(), "utf8")).toBe("the old one");
  expect(readdirSync(join(home, ".local", "bin"))).toEqual(["sandbox-agent"]);
}

describe("installs", () => {
  for (const names of [
    ["curl", "sha256sum"],
    ["wget", "sha256sum"],
    ["curl", "openssl"],
  ]) {
    testWith(names, `with ${names.join(" and ")}, and says that it is not on the PATH`, async () => {
      env.PATH = tools(...names);
      machine("Linux", "x86_64");
      const { code, stdout } = await install();
      expect(code).toBe(0);
      expect(stdout).toContain(`sandbox-agent 1.2.3 is installed: ${installed()}\n`);
      expect(stdout).toContain("is not on your PATH");
      expect(readFileSync(installed(), "utf8")).toBe(files["sandbox-agent-linux-x64"]);
      expect(readdirSync(join(home, ".local", "bin"))).toEqual(["sandbox-agent"]);
    });
  }

  test.each([
    ["Linux", "aarch64", "sandbox-agent-linux-arm64"],
    ["Darwin", "arm64", "sandbox-agent-darwin-arm64"],
    ["MINGW64_NT-10.0", "x86_64", "sandbox-agent-win32-x64.exe"],
  ])("what is for %s on %s", async (system, processor, name) => {
    machine(system, processor);
    expect((await install()).code).toBe(0);
    const file = name.endsWith(".exe") ? `${installed()}.exe` : installed();
    expect(readFileSync(file, "utf8")).toBe(files[name]);
  });

  test("to another directory, in place of what is there, and is silent about a PATH that has it", async () => {
    const directory = join(home, "my programs");
    mkdirSync(directory);
    writeFileSync(join(directory, "sandbox-agent"), "the old one");
    Object.assign(env, { SANDBOX_AGENT_INSTALL_DIR: directory, PATH: `${directory}${delimiter}${env.PATH}` });
    const { code, stdout } = await install();
    expect([code, stdout.trim().split("\n").length]).toEqual([0, 1]);
    expect(readFileSync(join(directory, "sandbox-agent"), "utf8")).toBe(files["sandbox-agent-linux-x64"]);
  });
});

describe("refuses, and leaves what was there", () => {
  test("a file with another checksum", async () => {
    files["sandbox-agent-linux-x64"] += "echo something else\n";
    await expectRefusal(/has the checksum [0-9a-f]{64}, and SHA256SUMS says [0-9a-f]{64}/);
  });

  test("a machine without a tool to verify it with", async () => {
    env.PATH = tools("curl");
    machine("Linux", "x86_64");
    await expectRefusal("Install sha256sum, shasum or openssl");
  });

  test("a machine without a tool to download it with", async () => {
    env.PATH = tools("sha256sum");
    machine("Linux", "x86_64");
    await expectRefusal("neither curl nor wget");
  });

  test("a platform that there is none for, with those that there are", async () => {
    machine("Linux", "riscv64");
    await expectRefusal("there is no sandbox-agent-linux-riscv64 .* for: linux-x64 linux-arm64 darwin-arm64");
  });

  for (const downloader of ["curl", "wget"]) {
    testWith([downloader], `a download that is cut off, by ${downloader}`, async () => {
      env.PATH = tools(downloader, "sha256sum");
      machine("Linux", "x86_64");
      const whole = listener;
      let asked = 0;
      listener = (request, response) => {
        if (request.url?.endsWith("SHA256SUMS")) return whole(request, response);
        asked += 1;
        // wget goes on with a download that was cut off, until it is told that there is no more.
        if (asked > 1 && request.headers.range) return void response.writeHead(404).end();
        response.writeHead(200, { "content-length": 1_000_000 });
        response.write(program, () => response.destroy());
      };
      await expectRefusal("the download of .*sandbox-agent-linux-x64 failed");
    });
  }

  test("a release that is not there", async () => {
    files = {};
    await expectRefusal("the download of .*SHA256SUMS failed");
  });

  test("a program that does not run here", async () => {
    files["sandbox-agent-linux-x64"] = "#!/bin/sh\nexit 127\n";
    files.SHA256SUMS = `${sha256(files["sandbox-agent-linux-x64"])} *sandbox-agent-linux-x64\n`;
    await expectRefusal("does not run on this machine");
  });
});

test("without a home it says what to set", async () => {
  env.HOME = "";
  expect(await install()).toMatchObject({ code: 1, stderr: expect.stringContaining("Set SANDBOX_AGENT_INSTALL_DIR") });
});

test("half of the script does nothing", async () => {
  const text = readFileSync(script, "utf8");
  const half = join(home, "half.sh");
  writeFileSync(half, text.slice(0, text.lastIndexOf('echo "sandbox-agent $version')));
  await new Promise((resolve) => execFile("/bin/sh", [half], { env, cwd: home }, resolve));
  expect(existsSync(join(home, ".local"))).toBe(false);
});
