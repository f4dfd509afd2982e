import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { SessionConfig } from "../../agent.ts";
import { withoutSkillServers } from "./skill-servers.ts";

async function makeSession(file?: string, more: object = {}): Promise<SessionConfig> {
  const directory = await mkdtemp(join(tmpdir(), "amp-skills-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const folder = join(directory, ".agents", "skills", "one");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "SKILL.md"), "---\nname: one\n---\n");
  if (file !== undefined) await writeFile(join(folder, file), "---\nmcpServers: {}\n---\n");
  return { directory, agentMode: "build", permissionMode: "default", ...more } as SessionConfig;
}

interface Rule {
  readonly matches: Readonly<Record<string, string>>;
  readonly action: string;
}

async function rulesOf(session: SessionConfig, user: object, servers: object): Promise<Rule[] | undefined> {
  const settings = await withoutSkillServers(session, user as never, servers as never);
  return settings["amp.mcpPermissions"] as Rule[] | undefined;
}

test.each(["mcp.json", "SKILL.md"])(
  "with servers in %s only those of the session and of the user start",
  async (file) => {
    const user = {
      "amp.mcpServers": { own: { url: "https://x/mcp?a=*" } },
      "amp.mcpPermissions": [
        { matches: { command: "*" }, action: "allow" },
        { matches: { command: "npx" }, action: "reject" },
      ],
    };
    const rules = await rulesOf(await makeSession(file), user, { s: { command: "node", args: ["a.mjs", "-x"] } });
    expect(rules?.map(({ action }) => action)).toEqual(["reject", "allow", "allow", "reject", "reject"]);
    expect(rules?.[0]?.matches).toEqual({ command: "npx" });
    const [, near, far] = rules ?? [];
    const fits = (pattern = "", text: string) => new RegExp(pattern.slice(1, -1), "m").test(text);
    expect(fits(near?.matches.args, "a.mjs -x")).toBe(true);
    for (const other of ["a.mjs -x y", "-e evil()\na.mjs -x", "aXmjs -x"])
      expect(fits(near?.matches.args, other)).toBe(false);
    expect(fits(far?.matches.url, "https://x/mcp?a=*")).toBe(true);
    expect(fits(far?.matches.url, "https://x/mcp?a=b")).toBe(false);
  },
);

test("nothing is said where no skill has servers, or where nothing is asked", async () => {
  expect(await rulesOf(await makeSession(), {}, {})).toBeUndefined();
  expect(await rulesOf(await makeSession("mcp.json", { permissionMode: "bypass" }), {}, {})).toBeUndefined();
});
