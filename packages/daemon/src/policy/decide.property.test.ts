/** Feared: the same action judged differently because of how an agent tells it, and a disguise that gets past a denial. */
import { mkdirSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import type { PermissionMode, PermissionRequestedData, PolicyRule } from "@sandbox-agent-ts/protocol";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { decide } from "./decide.ts";

const home = temporaryDirectory(afterAll);
const directory = join(home, "project");
mkdirSync(join(directory, "secret"), { recursive: true });
mkdirSync(join(directory, "src"));
symlinkSync("../secret", join(directory, "src/link"));

const modes: readonly PermissionMode[] = ["default", "acceptEdits", "bypass"];

function judge(rules: PolicyRule[], about: Partial<PermissionRequestedData>, permissionMode: PermissionMode): string {
  const request: PermissionRequestedData = { permission_id: "p", action: "", status: "requested", ...about };
  return decide({ rules }, request, { directory, home, permissionMode }).action;
}

const name = fc.stringMatching(/^[a-z]{1,6}$/);
const place = fc.constantFrom("src", "secret", "src/link", ".", "..");
const rule: fc.Arbitrary<PolicyRule> = fc.record(
  {
    action: fc.constantFrom("allow" as const, "ask" as const, "deny" as const),
    kind: fc.constantFrom("edit" as const, "delete" as const, "execute" as const, "fetch" as const, "mcp" as const),
    paths: fc.constantFrom("src/**", "!src/**", "secret", "**/*.ts", `${directory}/**`),
  },
  { requiredKeys: ["action"] },
);

test("the same action gets the same answer, however an agent writes its path and whatever else it tells", () => {
  const rendition = fc.record({
    write: fc.constantFrom(
      (path: string) => path,
      (path: string) => join(directory, path),
      (path: string) => `./${path}`,
      (path: string) => `file://${join(directory, path)}`,
      (path: string) => `${path.split("/").join("//")}`,
    ),
    extra: fc.record({ tool: name, call_id: name, diff: name, metadata: fc.dictionary(name, fc.jsonValue()) }),
  });
  const kind = fc.constantFrom("edit" as const, "delete" as const, "read" as const);
  fc.assert(
    fc.property(
      fc.array(rule),
      kind,
      place,
      name,
      rendition,
      rendition,
      fc.constantFrom(...modes),
      (rules, of, at, file, one, other, mode) => {
        const path = join(at, file);
        const [first, second] = [one, other].map(({ write, extra }) =>
          judge(rules, { ...extra, kind: of, paths: [write(path)] }, mode),
        );
        expect(first).toBe(second);
      },
    ),
  );
});

test("no way to write a path gets past a denial of it, in any mode and behind any rule that comes later", () => {
  const disguise: fc.Arbitrary<(path: string) => string> = fc.constantFrom(
    (path: string) => `./${path}`,
    (path: string) => `src/../${path}`,
    (path: string) => path.replaceAll("/", "//"),
    (path: string) => path.replaceAll("/", "/./"),
    (path: string) => path.replaceAll("/", "\\"),
    (path: string) => path.replace(/^secret/, "src/link"),
    (path: string) => path.toUpperCase(),
    (path: string) => join(directory, path),
    (path: string) => `~/${basename(directory)}/${path}`,
    (path: string) => `file://${join(directory, path)}`,
    (path: string) => `"${path}"`,
    (path: string) => `${path}/`,
    (path: string) => path.normalize("NFD"),
  );
  const file = fc.oneof(name, fc.constantFrom("é", "日本", "a b"));
  fc.assert(
    fc.property(file, disguise, fc.array(rule), fc.constantFrom(...modes), (wanted, disguised, later, mode) => {
      const rules: PolicyRule[] = [{ action: "deny", kind: "edit", paths: "secret/**" }, ...later];
      expect(judge(rules, { kind: "edit", paths: ["src/a", disguised(`secret/${wanted}`)] }, mode)).not.toBe("allow");
    }),
  );
});

test("no quoting, wrapping or nesting gets a denied command past its rule", () => {
  const quotation: fc.Arbitrary<(word: string) => string> = fc.constantFrom(
    (word: string) => word,
    (word: string) => `'${word}'`,
    (word: string) => `"${word}"`,
    (word: string) => `\\${word}`,
    (word: string) => `${word[0]}""${word.slice(1)}`,
    (word: string) => `/usr/bin/${word}`,
    (word: string) => `$'${word}'`,
  );
  const wrapping: fc.Arbitrary<(line: string) => string> = fc.constantFrom(
    (line: string) => `true && ${line}`,
    (line: string) => `ls | ${line}`,
    (line: string) => `(${line})`,
    (line: string) => `echo $(${line})`,
    (line: string) => `if true; then ${line}; fi`,
    (line: string) => `f() { ${line}; }; f`,
    (line: string) => `true\n${line}`,
    (line: string) => `sh -c '${line.replaceAll("'", "'\\''")}'`,
    (line: string) => `A=1 ${line}`,
  );
  const prefix = fc.constantFrom("", "sudo ", "env A=1 ", "command ", "nice -n 5 ", "xargs ");
  fc.assert(
    fc.property(
      quotation,
      prefix,
      fc.array(wrapping, { maxLength: 4 }),
      fc.constantFrom(...modes),
      (quote, before, wraps, mode) => {
        const line = wraps.reduce((inner, wrap) => wrap(inner), `${before}${quote("rm")} -rf x`);
        const rules: PolicyRule[] = [{ action: "deny", commands: "rm *" }, { action: "allow" }];
        expect(judge(rules, { kind: "execute", command: line, cwd: directory }, mode), line).not.toBe("allow");
      },
    ),
    { numRuns: 500 },
  );
});
