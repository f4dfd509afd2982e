/** Feared: an example of the API reference that is refused, or says something else than the route does. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { apiExamples } from "../../../scripts/gen/api-examples.mjs";
import { routes } from "../../protocol/src/api/routes.ts";
import { programOf } from "./__fixtures__/doc-example.ts";
import { type Server, startServer } from "./__fixtures__/servers.ts";

interface ApiExample {
  readonly needs?: "session" | "permission" | "question" | "turn" | "waiting";
  readonly stream?: boolean;
  readonly sdk: string;
}

const examples = Object.entries(apiExamples as Readonly<Record<string, ApiExample>>);
const page = readFileSync(new URL("../../../docs/http-api.mdx", import.meta.url), "utf8");
const source = fileURLToPath(new URL(".", import.meta.url));

const hasCurl = spawnSync("curl", ["--version"]).status === 0;

let server: Server & { readonly home: string };
let directory: string;
let programs: string;

beforeAll(async () => {
  server = await startServer("a daemon");
  programs = mkdtempSync(join(tmpdir(), "api-examples-"));
  directory = join(server.home, "project");
  await bundle();
}, 120_000);

afterAll(async () => {
  rmSync(programs, { recursive: true, force: true });
  await server?.end();
}, 60_000);

beforeEach(async () => {
  const { client } = server;
  for (const { sessionId } of (await client.listSessions()).sessions) await client.deleteSession(sessionId);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(join(directory, "drafts"), { recursive: true });
  for (const name of ["notes.txt", "drafts/idea.md"]) writeFileSync(join(directory, name), "some text\n");
  writeFileSync(join(directory, "site.tar"), Buffer.alloc(1024));
});

test("every operation has an example, and its example stands in the page", () => {
  expect(examples.map(([id]) => id).sort()).toEqual(routes.map(({ id }) => id).sort());
  for (const [, { sdk }] of examples) expect(page).toContain(sdk);
});

describe.each(examples)("%s", (id, example) => {
  test.skipIf(!hasCurl)(`with curl${hasCurl ? "" : " (left out: curl is not installed)"}`, async () => {
    const { route, path } = sectionOf(id);
    const command = new RegExp(
      `<Accordion title="${escaped(`${route} ${path}`)}">[\\s\\S]*?\`\`\`bash curl\\n([\\s\\S]*?)\`\`\``,
    );
    const [, curl = ""] = command.exec(page) ?? [];
    const asked = await filled(curl.replace("curl ", "curl --fail-with-body --silent --show-error "), example);
    const { exitCode, stderr } = await run("bash", ["-c", asked], example);
    expect([exitCode, stderr]).toEqual([0, ""]);
  });

  test("with the SDK", async () => {
    const file = join(programs, `${id}.mjs`);
    writeFileSync(file, await filled(readFileSync(file, "utf8"), example));
    const { exitCode, stderr } = await run(process.execPath, [file], example);
    expect([exitCode, stderr]).toEqual([0, ""]);
  });
});

function sectionOf(id: string) {
  const { method, path } = routes.find((route) => route.id === id)!;
  return { route: method, path };
}

/** Make what the example is about, and put its address and ids where the example has its own. */
async function filled(code: string, { needs }: ApiExample): Promise<string> {
  const { client } = server;
  const located = code.replaceAll("http://127.0.0.1:2468", client.baseUrl);
  if (needs === undefined) return located;
  const session = client.session("first", { agent: "mock", directory });
  await session.info().catch(() => client.createSession("first", { agent: "mock", directory }));
  if (needs === "session") return located;
  if (needs === "turn") {
    await session.run("tool");
    return located;
  }
  await client.postMessage("first", { message: needs === "waiting" ? "permission" : needs });
  for await (const { type, data } of client.streamEvents("first")) {
    if (type === "permission.requested" && needs === "permission")
      return located.replaceAll("perm_1", data.permission_id);
    if (type === "question.requested") return located.replaceAll("question_1", data.question_id);
    if (type === "permission.requested") break;
  }
  const { turnId } = await client.postMessage("first", { message: "hello" });
  return located.replaceAll("turn_1", turnId);
}

/** What goes on for ever is ended when it has said something. */
async function run(program: string, args: readonly string[], { stream }: ApiExample) {
  const { client, home } = server;
  const env = { PATH: process.env.PATH, HOME: home, SANDBOX_AGENT_TOKEN: client.token };
  const child = spawn(program, args, { cwd: directory, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  onTestFinished(() => void killGroup(child.pid!));
  let isHeard = false;
  child.stdout.on("data", () => {
    isHeard = true;
    if (stream) killGroup(child.pid!);
  });
  if (stream) setImmediate(() => writeFileSync(join(directory, "something-new"), ""));
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  return { exitCode: stream && isHeard ? 0 : (code as number | null), stderr };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It is over already.
  }
}

/** All programs in one go: they share the SDK. */
async function bundle(): Promise<void> {
  const entries = examples.map(([id, { sdk }]) => {
    const file = join(programs, `${id}.ts`);
    writeFileSync(file, programOf({ place: id, code: sdk }));
    return file;
  });
  await build({
    entryPoints: entries,
    outdir: programs,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    conditions: ["@sandbox-agent-ts/source"],
    alias: { "@sandbox-agent-ts/sdk": join(source, "index.ts") },
  });
}

const escaped = (text: string) => text.replaceAll(/[{}/.]/g, String.raw`\$&`);
