/** Feared: a rule by which Codex acts while it plans, and that is not seen. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { allows, refuseAllowRules } from "./allow-rules.ts";

test.each([
  ['prefix_rule(pattern=["touch"], decision="allow")', true],
  ['prefix_rule(pattern=["touch"])', true],
  ["prefix_rule ( pattern = ['touch'] )", true],
  ['prefix_rule(pattern=["rm"], decision="forbidden")\nprefix_rule(pattern=["ls"])', true],
  ['prefix_rule(pattern=["rm"], decision="forbidden")\nprefix_rule(pattern=["ls"], decision = \'prompt\')', false],
  ['# prefix_rule(pattern=["touch"], decision="allow")', false],
  ["", false],
])("%s allows: %s", (rules, expected) => expect(allows(rules)).toBe(expected));

test("rules of the user count, those of a directory only where it is trusted", async () => {
  const root = await mkdtemp(join(tmpdir(), "codex-rules-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const [home, directory] = [join(root, "home"), join(root, "work", "app")];
  const session = { sessionId: "s", directory, agentMode: "plan", permissionMode: "plan", env: {} } as const;
  const plan = () => refuseAllowRules(session, { CODEX_HOME: home });
  await mkdir(home);
  await mkdir(join(directory, ".codex", "rules"), { recursive: true });
  await writeFile(join(directory, ".codex", "rules", "a.rules"), 'prefix_rule(pattern=["touch"])');
  await writeFile(join(home, "config.toml"), `[projects."/elsewhere"]\ntrust_level = "trusted"\n`);
  await plan();
  await writeFile(
    join(home, "config.toml"),
    `[projects."${directory}"]\nx = 1\n[projects."/b"]\ntrust_level = "trusted"\n`,
  );
  await plan();
  await writeFile(join(home, "config.toml"), `[projects."${directory}"]\ntrust_level = "trusted"\n`);
  await expect(plan()).rejects.toThrow("a.rules");
  await writeFile(join(home, "config.toml"), "");
  await mkdir(join(home, "rules"));
  await writeFile(join(home, "rules", "default.rules"), 'prefix_rule(pattern=["touch"], decision="allow")');
  await expect(plan()).rejects.toMatchObject({ code: "permission_denied" });
});
