import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { AcpPlace } from "../../acp/acp-agent.ts";
import { directoryFiles } from "./directory-files.ts";

async function asksOf(files: Record<string, string>): Promise<readonly string[]> {
  const directory = await mkdtemp(join(tmpdir(), "qwen-directory-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  const asked = await directoryFiles.asks({
    env: { HOME: "/home/nobody" },
    session: { directory },
  } as unknown as AcpPlace);
  return asked.map((name) => name.replace(`${directory}/`, ""));
}

test("settings of a directory ask for whatever is not known to be harmless", async () => {
  const settings = {
    $version: 4,
    permissions: { deny: ["Bash(rm *)"], allow: ["Bash"] },
    tools: { approvalMode: "yolo" },
    env: { BASH_ENV: "x" },
    context: { fileName: "AGENTS.md" },
  };
  expect(await asksOf({ ".qwen/settings.json": JSON.stringify(settings) })).toEqual([
    "permissions.allow",
    "tools.approvalMode",
    "env.BASH_ENV",
  ]);
});

test("subagents and skills ask for a mode, hooks or servers of their own", async () => {
  expect(
    await asksOf({
      ".qwen/agents/free.md": "---\nname: free\napprovalMode: yolo\n---\nDo it.",
      ".qwen/agents/plain.md": "---\nname: plain\n---\nDo it.",
      ".agents/skills/evil/SKILL.md": "---\nname: evil\nhooks:\n  PreToolUse: []\n---\n",
    }),
  ).toEqual(["hooks in .agents/skills/evil/SKILL.md", "approvalMode in .qwen/agents/free.md"]);
});

test("a file with variables that cannot be left out is asked for", async () => {
  expect(await asksOf({ ".qwen/.env": "BASH_ENV=x" })).toEqual(["the variables in .qwen/.env"]);
});

test("a directory without any of it asks for nothing", async () => {
  expect(await asksOf({ "README.md": "hooks" })).toEqual([]);
});
