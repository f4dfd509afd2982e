import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readProfile } from "./read-profile.ts";

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "profile-")));
});
afterEach(() => rm(root, { recursive: true }));

async function add(path: string, text: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

test("a directory with everything", async () => {
  await add(
    "profile.json",
    JSON.stringify({ description: "Keeps lamps", env: { A: "1" }, commands: { x: { prompt: "y" } } }),
  );
  await add("system-prompt.md", "Be brief.");
  await add("AGENTS.md", "Count the ships.");
  await add("skills/beacon/SKILL.md", "---\nname: beacon\n---\nLight it.");
  await add("skills/beacon/scripts/light.sh", "#!/bin/sh\n");
  await chmod(join(root, "skills/beacon/scripts/light.sh"), 0o755);
  await add("agents/checker.md", "---\ndescription: Checks\ntools: Read, Grep\nmodel: small\n---\nYou check.\n");
  await add("agents/lister.md", "---\ndescription: Lists\ntools:\n  - Read\n  - Grep\n---\nYou list.\n");
  await add("commands/light.md", "---\ndescription: Light it\n---\nLight $1.");
  await add("workspace/notes/a.txt", "note");
  await add("workspace/bytes", new Uint8Array([0, 255]));
  await symlink("/etc/passwd", join(root, "workspace/passwd"));
  expect(await readProfile(root)).toEqual({
    description: "Keeps lamps",
    env: { A: "1" },
    systemPrompt: "Be brief.",
    instructions: "Count the ships.",
    skills: {
      beacon: {
        files: {
          "SKILL.md": "---\nname: beacon\n---\nLight it.",
          "scripts/light.sh": { content: "#!/bin/sh\n", executable: true },
        },
      },
    },
    subagents: {
      checker: { description: "Checks", tools: ["Read", "Grep"], model: "small", prompt: "You check." },
      lister: { description: "Lists", tools: ["Read", "Grep"], prompt: "You list." },
    },
    commands: { x: { prompt: "y" }, light: { description: "Light it", prompt: "Light $1." } },
    files: { "notes/a.txt": "note", bytes: { content: "AP8=", encoding: "base64" } },
  });
});

test("a file, and what is wrong with one", async () => {
  await add("p.json", '{ "systemPrompt": "Be brief." }');
  expect(await readProfile(join(root, "p.json"))).toEqual({ systemPrompt: "Be brief." });
  await add("bad.json", '{ "systemPrompt": 1 }');
  await expect(readProfile(join(root, "bad.json"))).rejects.toThrow(/bad\.json is not one: systemPrompt: /);
  await add("none.json", "{");
  await expect(readProfile(join(root, "none.json"))).rejects.toThrow(/none\.json cannot be read: /);
  await expect(readProfile(join(root, "missing"))).rejects.toThrow(/missing cannot be read: ENOENT/);
});

test("an empty directory is an empty profile", async () => {
  expect(await readProfile(root)).toEqual({});
});
