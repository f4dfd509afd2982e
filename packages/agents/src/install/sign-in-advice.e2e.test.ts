/** Feared: advice that does not work, e.g. a command that the program does not have. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { whyProgramIsMissing } from "../contract/why-program-is-missing.ts";
import { loadAgents } from "../registry.ts";
import type { AgentProgram } from "./agent-program.ts";
import { cacheDirectory } from "./cache-directory.ts";
import { requireProgram } from "./locate-program.ts";
import { signedInProgram, signInAdvice } from "./sign-in-advice.ts";

const agents = (await loadAgents()).filter(({ program }) => program !== undefined);
const tool = (rest: Partial<AgentProgram>): AgentProgram => ({
  name: "tool",
  version: "1.0.0",
  source: { kind: "npm", packages: {} },
  ...rest,
});

test.each([
  [{ login: { args: ["login"] }, variables: ["KEY"] }, "Run `sandbox-agent login tool`, or set KEY."],
  [{ login: { args: [] }, variables: ["A"], set: "A and B" }, "Run `sandbox-agent login tool`, or set A and B."],
  [{ variables: ["KEY", "OTHER"] }, "Set KEY."],
])("%j: %s", (signIn, advice) => {
  expect(signInAdvice(tool({ signIn }))).toBe(advice);
});

test("a program that is signed in by another one says which", () => {
  const signIn = { login: { args: ["login"] }, variables: ["KEY"] };
  expect(signInAdvice(tool({ name: "bridge", needs: [tool({ signIn })] }))).toContain("`sandbox-agent login tool`");
});

test("of a program that we know nothing about it is said in general", () => {
  expect(signInAdvice(undefined)).toBe("Sign in with the program itself, or set its key for the session.");
});

describe.each(agents.map(({ id, program }) => ({ id, program: program! })))("$id", ({ program }) => {
  const owner = signedInProgram(program)!;

  test("names an agent that can be signed in and a variable", () => {
    expect(agents.map(({ id }) => id)).toContain(owner.name);
    expect(signInAdvice(program)).toMatch(/^Run `sandbox-agent login [a-z]+`, or set .*\b[A-Z]+(_[A-Z]+)+\b.*\.$/);
  });
});

describe.each(agents.filter(({ id, program }) => program?.name === id && program.signIn?.login))(
  "$id",
  async (agent) => {
    const program = agent.program!;
    const why = await whyProgramIsMissing(program);

    test.skipIf(why !== undefined)(
      `the real program has the command that signs in${why === undefined ? "" : ` (not here: ${why})`}`,
      async () => {
        const home = mkdtempSync(join(tmpdir(), "sign-in-"));
        onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));
        const place = { env: { PATH: process.env.PATH }, installRoot: join(cacheDirectory(process.env), "programs") };
        const { path } = await requireProgram(program, place, program.version);
        const args = program.signIn!.login!.args;
        const options = {
          env: { PATH: process.env.PATH, HOME: home, ...agent.programEnv },
          cwd: home,
          timeout: 60_000,
        };
        const { stdout, stderr } = await promisify(execFile)(path, [...args, "--help"], options);
        // A program that does not know the command shows the help of all of it, or takes it for a prompt.
        expect(stdout + stderr).toMatch(args.length === 0 ? /interactive/i : /log ?in|sign in|authenticat|configure/i);
        expect(stdout + stderr).toMatch(new RegExp([program.name, ...args].join(" ")));
      },
      120_000,
    );
  },
);
