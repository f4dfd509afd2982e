/** Feared: an example of the documentation that does not compile or does not run. Against real servers. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import ts from "typescript";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { cliBundle } from "../../../scripts/setup.mjs";
import { type DocExample, examplesOf, needsSignal, programOf } from "./__fixtures__/doc-example.ts";
import { servers, startServer } from "./__fixtures__/servers.ts";

const source = fileURLToPath(new URL(".", import.meta.url));
const pages = [
  "README.md",
  "docs/quickstart.mdx",
  "docs/sdk.mdx",
  "docs/install.mdx",
  "docs/deploy.mdx",
  "packages/sdk/README.md",
];
const examples = pages.flatMap(examplesOf);
/** Those of this page are run by `api-examples.e2e.test.ts`, each in a session that has what it is about. */
const reference = examplesOf("docs/http-api.mdx");

let server: Awaited<ReturnType<typeof startServer>>;

test.each(pages)("%s has examples", (page) => {
  expect(examplesOf(page)).not.toEqual([]);
});

test("the examples compile", { timeout: 180_000 }, () => {
  const files = new Map(
    [...examples, ...reference].map((example, index) => [join(source, `example-${index}.ts`), example]),
  );
  expect(diagnosticsOf(files)).toEqual([]);
});

test("an example that does not compile is reported with its place", () => {
  const broken = { place: "page:1", code: "await client.session(1).run();" };
  expect(diagnosticsOf(new Map([[join(source, "broken.ts"), broken]]))).toEqual([
    expect.stringMatching(/^page:1 .*not assignable/),
    expect.stringMatching(/^page:1 Expected 1-2 arguments/),
  ]);
});

describe.each(Object.keys(servers))("on %s", (kind) => {
  beforeAll(async () => {
    server = await startServer(kind);
    writeFileSync(join(server.home, "token"), server.client.token ?? "");
    writeFileSync(join(server.home, "data.bin"), "some bytes");
  }, 120_000);
  afterAll(() => server.end(), 60_000);

  beforeEach(async () => {
    const { client } = server;
    for (const { sessionId } of (await client.listSessions()).sessions) await client.deleteSession(sessionId);
  });

  test.each(examples)("$place runs", async (example) => {
    await createWhatItContinues(example);
    expect(await run(example)).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test("an example that fails is noticed", async () => {
    const { exitCode, stderr } = await run({ place: "page:1", code: 'await client.getSession("nobody");' });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('There is no session "nobody".');
  });
});

/** The sessions that the page has created before, with a log long enough to resume in; one that is only read is over. */
async function createWhatItContinues({ code }: DocExample): Promise<void> {
  const { client, home } = server;
  for (const id of ["first", "my-session"]) {
    if (!code.includes(`"${id}"`) || new RegExp(`ession\\("${id}", \\{\\s*agent:`).test(code)) continue;
    const session = client.session(id, { agent: "mock", directory: home });
    while ((await session.info()).eventCount <= 42) await session.run("tool");
    if (code.includes(`streamEvents("${id}"`)) await session.terminate();
  }
}

/** As a reader would: saved to a file, started with node. A signal of the reader's own fires after the first output. */
async function run(example: DocExample): Promise<{ exitCode: number | null; stderr: string }> {
  const { client, home } = server;
  const program = programOf(example)
    .replaceAll("http://127.0.0.1:2468", client.baseUrl)
    .replaceAll("/home/user/project", home)
    .replaceAll('agent: "claude"', 'agent: "mock"');
  const file = join(home, "example.mjs");
  await build({
    stdin: { contents: program, resolveDir: source, loader: "ts" },
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@sandbox-agent-ts/source"],
  });
  const env = {
    ...process.env,
    HOME: home,
    XDG_DATA_HOME: undefined,
    SANDBOX_AGENT_DATA_DIR: undefined,
    SANDBOX_AGENT_BIN: cliBundle,
    SANDBOX_AGENT_TOKEN: client.token,
  };
  const child = spawn(process.execPath, [file], { cwd: home, env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  if (needsSignal(example)) child.stdout.once("data", () => child.kill("SIGTERM"));
  child.stdout.resume();
  const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  return { exitCode: exitCode as number | null, stderr };
}

/** What the compiler says about these examples, which exist only in memory. */
function diagnosticsOf(files: ReadonlyMap<string, DocExample>): string[] {
  const config = ts.getParsedCommandLineOfConfigFile(
    fileURLToPath(new URL("../../../tsconfig.tests.json", import.meta.url)),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => expect.fail(String(diagnostic.messageText)) },
  );
  const options = { ...config?.options, incremental: false, composite: false };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.getSourceFile = (name, version, ...rest) => {
    const example = files.get(name);
    return example ? ts.createSourceFile(name, programOf(example), version) : getSourceFile(name, version, ...rest);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files].flatMap(([name, { place }]) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(name))
      .map(({ messageText }) => `${place} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`),
  );
}
