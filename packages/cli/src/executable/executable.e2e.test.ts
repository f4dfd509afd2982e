/** Feared: an executable that works only where it was built: with a Node beside it, or the repository, or an npm. */
import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { type AgentProgram, loadAgents, type NodeSource } from "@sandbox-agent-ts/agents";
import { createLocalProvider } from "@sandbox-agent-ts/runtime";
import { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { NpmRegistry } from "@sandbox-agent-ts/testing";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { downloadNode } from "../../../../scripts/download-node.mjs";
import { nodePackage, nodeVersion, thisPlatform } from "../../../../scripts/exe/platforms.mjs";
import { buildExecutable, executable } from "../../../../scripts/setup.mjs";
import { CliHome } from "../__fixtures__/cli-home.ts";
import { placesOf } from "../runtime/__fixtures__/marked-sandboxes.ts";
import { adminKey, RuntimeProcess } from "../runtime/__fixtures__/runtime-process.ts";

const run = promisify(execFile);
const minutes = 60_000;

/** Why there can be no executable here. */
const reason = await Promise.resolve()
  .then(() => downloadNode(nodePackage(thisPlatform)))
  .then(
    () => "",
    (error: Error) => ` (not here: ${error.message.split("\n")[0]})`,
  );

/** What a supervised process needs of the system, and no Node. */
const systemPrograms = ["sh", "cat", "dd", "mv", "sleep", "bwrap"];
const { can } = createLocalProvider({ root: "/nonexistent" });
/** How a runtime can keep its sandboxes apart here. */
const isolations = process.platform !== "linux" ? [] : can.isolation ? ["none", "bubblewrap"] : ["none"];

describe.skipIf(reason !== "" || process.platform === "win32")(`the single executable${reason}`, () => {
  let home: CliHome;

  beforeAll(() => buildExecutable(), 4 * minutes);
  beforeEach(() => {
    home = CliHome.withExecutable();
  });

  it("says its version and, when a command is wrong, how it is used", async () => {
    expect(await home.run(["--version"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+/) });
    expect(await home.run(["sesions"])).toMatchObject({ code: 2, stderr: expect.stringContaining("sessions") });
    expect(readdirSync(home.path)).toEqual([]);
  });

  it("is installed by the script beside it, which is in the same folder of a release", async () => {
    const folder = dirname(executable);
    const env = { HOME: home.path, PATH: process.env.PATH, SANDBOX_AGENT_BASE_URL: pathToFileURL(folder).href };
    await run("sh", [join(folder, "install.sh")], { env });
    expect(readdirSync(join(home.path, ".local", "bin"))).toEqual(["sandbox-agent"]);
  });

  it("is a daemon with its API, a session and the inspector's pages inside", async () => {
    const { url } = await home.startServer("--token", "secret");
    expect(await (await fetch(`${url}/v1/health`)).json()).toMatchObject({ status: "ok" });
    const client = await SandboxAgent.connect({ baseUrl: url, token: "secret" });
    await client.createSession("one", { agent: "mock", directory: home.path });
    let text = "";
    for await (const event of client.streamTurn("one", { message: "echo from inside" })) {
      if (event.type === "item.delta") text += event.data.delta;
    }
    expect(text).toContain("from inside");

    const page = await (await fetch(`${url}/ui/`)).text();
    const [, script] = /src="([^"]+\.js)"/.exec(page) ?? [];
    const answer = await fetch(new URL(script!, `${url}/ui/`), { headers: { "accept-encoding": "br" } });
    expect([answer.status, answer.headers.get("content-encoding")]).toEqual([200, "br"]);
    expect((await answer.text()).length).toBeGreaterThan(10_000);
    expect((await fetch(`${url}/ui/assets/index-0ld0ld00.js`)).status).toBe(404);
  });

  it("starts itself in the background, and stops that", async () => {
    const started = await home.json<{ pid: number; url: string }>("daemon", "start", "--port", "0", "--json");
    expect((await fetch(`${started.url}/v1/health`)).status).toBe(200);
    expect(await home.json("daemon", "status", "--json")).toMatchObject({ running: true, pid: started.pid });
    expect(await home.json("daemon", "stop", "--json")).toMatchObject({ outcome: "stopped", pid: started.pid });
  });

  it("is found by the SDK when the environment names it", async () => {
    const env = { ...home.env, SANDBOX_AGENT_BIN: executable };
    const client = await SandboxAgent.start({ spawn: { env } });
    onTestFinished(() => client.dispose());
    expect(await client.getHealth()).toMatchObject({ status: "ok" });
  });

  it("is the Node for an agent written in JavaScript, and stays it when it is moved", async () => {
    const program = await programOfNode();
    const registry = await NpmRegistry.start();
    onTestFinished(() => registry.close());
    await registry.publish({ name: program.source.package, version: program.version, files: agentFiles(program) });
    Object.assign(home.env, { SANDBOX_AGENT_NPM_REGISTRY: registry.url });

    const [first, second] = [join(home.path, "bin", "sandbox-agent"), join(home.path, "moved", "sandbox-agent")];
    for (const file of [first, second]) mkdirSync(join(file, ".."), { recursive: true });
    copyFileSync(executable, first);
    await run(first, ["install-agent", program.name], { env: home.env });
    expect(await probe(home, program)).toEqual(rightAnswers);

    renameSync(first, second);
    await expect(probe(home, program)).rejects.toThrow("not found");
    await run(second, ["install-agent", program.name], { env: home.env });
    expect(await probe(home, program)).toEqual(rightAnswers);
    expect(registry.count("archive")).toBe(1);
  });

  it.each(isolations)(
    "is a runtime whose sandboxes need no Node on the machine, isolation %s",
    { timeout: 3 * minutes },
    async (isolation) => {
      home.env.PATH = folderOf(home, systemPrograms);
      const flags = ["--isolation", isolation];
      const first = await RuntimeProcess.start(home, { flags });
      const client = await SandboxAgent.connect({ baseUrl: first.url, token: adminKey });
      const session = client.session("s", { agent: "mock" });
      expect((await session.run("echo from inside")).text).toContain("from inside");
      expect((await fetch(`${first.url}/ui/`)).status).toBe(200);
      await first.end("SIGKILL");

      const second = await RuntimeProcess.start(home, { flags });
      const again = await SandboxAgent.connect({ baseUrl: second.url, token: adminKey });
      expect((await again.session("s").run("echo once more")).text).toContain("once more");
      expect((await again.getSession("s")).runtime?.sandbox).toMatchObject({ generation: 1, status: "ready" });
      const [bundle, ...others] = readdirSync(join(home.dataDir, "runtime", "bundle"));
      expect([bundle, others]).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), []]);
      await again.deleteSession("s");
      await second.end("SIGTERM");
      expect(readdirSync(placesOf(home.dataDir).sandboxes)).toEqual([]);
    },
  );
});

/** A folder with nothing but these programs of the system in it. */
function folderOf({ path }: CliHome, names: readonly string[]): string {
  const folder = join(path, "system");
  mkdirSync(folder);
  for (const name of names) {
    const program = ["/usr/bin", "/bin"].map((place) => join(place, name)).find((file) => existsSync(file));
    if (program !== undefined) symlinkSync(program, join(folder, name));
  }
  return folder;
}

type NodeProgram = AgentProgram & { readonly source: NodeSource };

/** Some agent's, whichever it is, that is one package. */
async function programOfNode(): Promise<NodeProgram> {
  const programs = (await loadAgents()).map(({ program }) => program);
  const isOfNode = (program: AgentProgram | undefined): program is NodeProgram =>
    program?.source.kind === "npm-node" && program.source.dependencies === undefined && program.needs === undefined;
  return programs.find(isOfNode)!;
}

/** A package that answers what a Node must be able to do: modules, workers, children by its own path, options, code. */
function agentFiles({ version, source }: NodeProgram): Record<string, string> {
  const entry = `
    import { execFileSync, fork } from "node:child_process";
    import { once } from "node:events";
    import { Worker } from "node:worker_threads";
    import common from "./common.cjs";
    if (process.argv[2] === "--version") {
      console.log("${version}");
      process.exit();
    }
    const file = (name) => new URL(name, import.meta.url);
    const [fromWorker] = await once(new Worker(file("worker.mjs")), "message");
    const child = fork(file("child.cjs"), ["word"], { execArgv: ["--max-old-space-size=99"] });
    const [fromChild] = await once(child, "message");
    const fromCode = execFileSync(process.execPath, ["-e", "console.log(require('node:path').basename('a/b'))"]);
    const answers = { argv: process.argv.slice(2), common, fromWorker, fromChild, fromCode: String(fromCode).trim() };
    console.log(JSON.stringify({ ...answers, version: process.version, lazy: (await import("./worker.mjs")).word }));
  `;
  const files = {
    [source.entry]: entry,
    "common.cjs": `module.exports = require.main === undefined ? "required by a module" : "required by a script";`,
    "worker.mjs": `import { parentPort } from "node:worker_threads";
      export const word = "worker";
      parentPort?.postMessage(word);`,
    "child.cjs": `const { heap_size_limit } = require("node:v8").getHeapStatistics();
      const isLimited = heap_size_limit < 200e6;
      process.send({ argv: process.argv.slice(2), isLimited, options: process.env.NODE_OPTIONS ?? null }, () => process.exit());`,
  };
  const folder = source.entry.replace(/[^/]*$/, "");
  const placed = Object.entries(files).map(([name, text]) => [name === source.entry ? name : folder + name, text]);
  return { ...Object.fromEntries(placed), "package.json": `{"type":"module"}` };
}

const rightAnswers = {
  argv: ["a b", "--flag"],
  common: "required by a module",
  fromWorker: "worker",
  fromChild: { argv: ["word"], isLimited: true, options: null },
  fromCode: "b",
  version: `v${nodeVersion}`,
  lazy: "worker",
};

/** Start the installed program as the daemon does. */
async function probe({ dataDir, env, path }: CliHome, { name, version }: AgentProgram): Promise<unknown> {
  const installation = join(dataDir, "programs", name, version);
  const [folder] = readdirSync(installation).filter((entry) => !entry.includes("."));
  const { stdout } = await run(join(installation, folder!, name), ["a b", "--flag"], { env, cwd: path });
  return JSON.parse(stdout);
}
