import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { inRoot } from "./root.mjs";

interface Step {
  readonly run?: string;
  readonly uses?: string;
}

interface Workflow {
  readonly on: unknown;
  readonly permissions: unknown;
  readonly jobs: Record<
    string,
    { "runs-on": string; "timeout-minutes": number; needs?: string | string[]; steps: Step[] }
  >;
}

const files = readdirSync(inRoot(".github"), { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".yml"),
);
const read = (name: string): unknown => parse(readFileSync(inRoot(".github", name), "utf8"), { strict: true });
const { scripts } = JSON.parse(readFileSync(inRoot("package.json"), "utf8")) as { scripts: Record<string, string> };
const workflows = files
  .filter((name) => name.startsWith("workflows"))
  .map((name) => [name, read(name) as Workflow] as const);

it.each(files)("%s is YAML", (name) => {
  expect(read(name)).toBeTypeOf("object");
});

describe.each(workflows)("%s", (_, { on, permissions, jobs }) => {
  it("says when it runs, what it may do, and how long each job may take", () => {
    expect(on).toBeDefined();
    expect(permissions).toEqual({ contents: "read" });
    for (const job of Object.values(jobs)) {
      expect(job).toMatchObject({ "runs-on": expect.any(String), "timeout-minutes": expect.any(Number) });
      for (const needed of [job.needs ?? []].flat()) expect(Object.keys(jobs)).toContain(needed);
      for (const step of job.steps) expect([step.run, step.uses].filter(Boolean)).toHaveLength(1);
    }
  });

  it("runs only scripts that there are", () => {
    const commands = Object.values(jobs).flatMap(({ steps }) =>
      steps.flatMap(({ run = "" }) => [...run.matchAll(/npm run ([\w:-]+)/g)]),
    );
    expect(commands.map(([, name]) => name).filter((name) => !(name! in scripts))).toEqual([]);
  });
});

it("the release publishes every package, what others depend on first", () => {
  const text = readFileSync(inRoot(".github/workflows/release.yml"), "utf8");
  const published = /for name in (.*) \$executables; do/.exec(text)![1]!.split(" ");
  expect(published.toSorted()).toEqual(readdirSync(inRoot("packages")).toSorted());
  for (const [index, name] of published.entries()) {
    const manifest = JSON.parse(readFileSync(inRoot("packages", name, "package.json"), "utf8")) as {
      dependencies?: object;
    };
    const ours = Object.keys(manifest.dependencies ?? {}).filter((dependency) =>
      dependency.startsWith("@sandbox-agent-ts/"),
    );
    for (const dependency of ours)
      expect(published.slice(0, index)).toContain(dependency.slice("@sandbox-agent-ts/".length));
  }
});
