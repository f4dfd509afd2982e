/** The tarballs work for somebody who has nothing of this workspace, in projects of the usual kinds. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packedTarballs } from "./packed-tarballs.ts";
import { inRoot } from "./root.mjs";

const run = promisify(execFile);
const SETUP_MS = 5 * 60_000;
const COMPILE_MS = 2 * 60_000;
const CLI_BYTES = 5 * 1024 * 1024;

const npm = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
const { devDependencies: ofInspector } = manifestOf(inRoot("apps/inspector"));
const compilers = { "5.4": "typescript-5.4", newest: "typescript-newest" };

let outside: string;
let tarballs: Readonly<Record<string, string>>;

beforeAll(async () => {
  outside = mkdtempSync(join(tmpdir(), "sandbox-agent-outside-"));
  tarballs = await packedTarballs();
  const project = {
    private: true,
    type: "module",
    dependencies: {
      ...Object.fromEntries(Object.entries(tarballs).map(([name, path]) => [name, `file:${path}`])),
      react: ofInspector.react,
      "react-dom": ofInspector["react-dom"],
      "@types/react": ofInspector["@types/react"],
      "@types/react-dom": ofInspector["@types/react-dom"],
      vite: ofInspector.vite,
      "typescript-5.4": "npm:typescript@5.4.5",
      "typescript-newest": "npm:typescript@7.0.2",
    },
  };
  write("package.json", JSON.stringify(project));
  await run("npm", ["install", ...npm], { cwd: outside });
  // Only this folder has Node's types: a project for browsers must do without.
  write(
    "node/package.json",
    JSON.stringify({ private: true, type: "module", dependencies: { "@types/node": "^20.19.0" } }),
  );
  await run("npm", ["install", ...npm], { cwd: join(outside, "node") });
}, SETUP_MS);

afterAll(() => rmSync(outside, { recursive: true, force: true }));

interface Manifest {
  readonly devDependencies: Record<string, string>;
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

function write(path: string, text: string): string {
  const file = join(outside, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** What a program prints; rejects with what it said when it fails. */
async function output(program: string, args: string[], folder = "."): Promise<string> {
  const cwd = join(outside, folder);
  const { NODE_ENV: _, ...env } = process.env;
  const { stdout } = await run(program, args, { cwd, env }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${program} ${args.join(" ")} failed:\n${error.stdout}${error.stderr}`);
  });
  return stdout.trim();
}

const node = (args: string[], folder?: string): Promise<string> => output(process.execPath, args, folder);

/** Compile what is in a folder, the packages' own typings included. */
async function compile(folder: string, compiler: string, options: object): Promise<void> {
  const compilerOptions = { strict: true, noEmit: true, skipLibCheck: false, ...options };
  const config = write(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, include: ["*.ts", "*.tsx"] }));
  await node([join(outside, "node_modules", compiler, "bin/tsc"), "-p", config]);
}

const turn = `
  const client = await SandboxAgent.start({ spawn: { dataDir: process.argv[2] } });
  try {
    await client.createSession("s", { agent: "mock" });
    const types = [];
    for await (const event of client.streamTurn("s", { message: "echo hello" })) types.push(event.type);
    console.log(types.at(0), types.at(-1));
  } finally {
    await client.dispose();
  }
`;

const page = `
import { SandboxAgentProvider, useSendMessage, useTranscript } from "@sandbox-agent-ts/react";
import { SandboxAgent, foldEvents } from "@sandbox-agent-ts/sdk";
import { UniversalEvent } from "@sandbox-agent-ts/protocol";
import { createRoot } from "react-dom/client";

function Conversation({ sessionId }: { sessionId: string }) {
  const { items } = useTranscript(sessionId);
  const { send } = useSendMessage(sessionId);
  return <button type="button" onClick={() => send("echo hello")}>{items.length}</button>;
}

async function main(): Promise<void> {
  const client = await SandboxAgent.connect({ baseUrl: location.origin, token: "secret" });
  console.log(typeof foldEvents, typeof UniversalEvent);
  // @ts-expect-error: the typings are read, and say that a number is no URL
  const mistake = () => SandboxAgent.connect({ baseUrl: 1 });
  window.addEventListener("never", mistake);
  createRoot(document.body).render(
    <SandboxAgentProvider client={client}><Conversation sessionId="s" /></SandboxAgentProvider>,
  );
}
void main();
`;

const forBrowsers = {
  target: "ES2022",
  lib: ["ES2022", "DOM"],
  jsx: "react-jsx",
  module: "ESNext",
  moduleResolution: "bundler",
  types: [],
};
const forNode = { target: "ES2022", lib: ["ES2022"], module: "Node16", moduleResolution: "Node16", types: ["node"] };

/** The TypeScript in the packages' own READMEs, each block a module. */
function readmeSamples(): [string, string][] {
  return readdirSync(inRoot("packages")).flatMap((folder) => {
    const text = readFileSync(inRoot("packages", folder, "README.md"), "utf8");
    return [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code], index): [string, string] => [
      `${folder}-${index}.ts`,
      code!,
    ]);
  });
}

describe("outside of the workspace, from tarballs", () => {
  it(
    "the CLI is one package of a few megabytes",
    async () => {
      write("cli/package.json", JSON.stringify({ private: true }));
      await output("npm", ["install", ...npm, tarballs["@sandbox-agent-ts/cli"]!], "cli");
      const modules = join(outside, "cli/node_modules");
      expect(readdirSync(modules).filter((name) => !name.startsWith("."))).toEqual(["@sandbox-agent-ts"]);
      expect(readdirSync(join(modules, "@sandbox-agent-ts"))).toEqual(["cli"]);
      const files = readdirSync(modules, { recursive: true, encoding: "utf8" }).map((name) =>
        statSync(join(modules, name)),
      );
      expect(files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)).toBeLessThan(CLI_BYTES);
      expect(await node([join(modules, ".bin/sandbox-agent"), "--version"], "cli")).toMatch(/^\d+\.\d+\.\d+$/);
    },
    COMPILE_MS,
  );

  it("a module starts a daemon and has a turn", async () => {
    write("turn.mjs", `import { SandboxAgent } from "@sandbox-agent-ts/sdk";\n${turn}`);
    expect(await node(["turn.mjs", join(outside, "data")])).toBe("turn.started turn.ended");
  });

  it("CommonJS does the same by require", async () => {
    write("turn.cjs", `const { SandboxAgent } = require("@sandbox-agent-ts/sdk");\n(async () => {${turn}})();`);
    expect(await node(["turn.cjs", join(outside, "data-cjs")])).toBe("turn.started turn.ended");
  });

  it("every entry of every package can be imported by Node", async () => {
    const entries = Object.keys(tarballs).flatMap((name) => {
      const { exports } = manifestOf(join(outside, "node_modules", name)) as unknown as { exports: object };
      const modules = Object.entries(exports).filter(([, target]) => typeof target === "object");
      return modules.map(([entry]) => join(name, entry)).filter((entry) => !/contract|browser/.test(entry));
    });
    write("all.mjs", `for (const entry of ${JSON.stringify(entries)}) await import(entry);`);
    await node(["all.mjs"]);
  });

  it(
    "Vite builds a page with the React hooks, with nothing of Node in it",
    async () => {
      write("page/index.html", '<script type="module" src="./main.tsx"></script>');
      write("page/main.tsx", page);
      await node([join(outside, "node_modules/vite/bin/vite.js"), "build", "--logLevel", "warn"], "page");
      const assets = join(outside, "page/dist/assets");
      const code = readdirSync(assets)
        .map((name) => readFileSync(join(assets, name), "utf8"))
        .join("\n");
      expect(code).toContain("echo hello");
      expect(code.match(/["'`]node:|child_process/)).toBeNull();
    },
    COMPILE_MS,
  );

  describe.each(Object.entries(compilers))("TypeScript %s", (_, compiler) => {
    it(
      "compiles a page for browsers, without Node's types",
      async () => {
        write(`browser-${compiler}/main.tsx`, page);
        await compile(`browser-${compiler}`, compiler, forBrowsers);
      },
      COMPILE_MS,
    );

    it(
      "compiles what the READMEs show, with node16 resolution",
      async () => {
        for (const [name, code] of readmeSamples()) write(`node/${compiler}/${name}`, code);
        await compile(`node/${compiler}`, compiler, forNode);
      },
      COMPILE_MS,
    );
  });
});
