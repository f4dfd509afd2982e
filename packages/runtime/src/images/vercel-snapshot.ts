import { defaultTag, type ImageRecipe } from "./image-recipe.ts";

/** A program that makes a sandbox at Vercel, puts everything in and keeps it as a snapshot. */
export function vercelSnapshot({ agents, tag = defaultTag }: ImageRecipe): string {
  // The user's PATH has Node, which root's may not.
  const script = `sudo env "PATH=$PATH" sh ${["/tmp/sandbox-agent-image/install.sh", ...agents].join(" ")}`;
  return `// The daemon and the programs of agents as a snapshot at Vercel. install.sh and sandbox-agent/, the daemon, are beside this file:
//   sandbox-agent image template --provider vercel --out DIRECTORY
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { Sandbox } from "@vercel/sandbox";

const here = import.meta.dirname;
const found = await readdir(join(here, "sandbox-agent"), { recursive: true, withFileTypes: true });
const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
const files = [...paths, join(here, "install.sh")].map(async (path) => ({
  path: join("/tmp/sandbox-agent-image", relative(here, path)),
  content: await readFile(path),
}));

const { VERCEL_TOKEN: token, VERCEL_TEAM_ID: teamId, VERCEL_PROJECT_ID: projectId } = process.env;
const account = token && teamId && projectId ? { token, teamId, projectId } : {};
const sandbox = await Sandbox.create({
  ...account,
  timeout: 20 * 60_000,
  persistent: false,
  tags: { image: ${JSON.stringify(tag)} },
});
try {
  await sandbox.writeFiles(await Promise.all(files));
  const install = await sandbox.runCommand({
    cmd: "sh",
    args: ["-c", ${quotedForSource(script)}],
    stdout: process.stderr,
    stderr: process.stderr,
  });
  if (install.exitCode !== 0) throw new Error(\`install.sh ended with \${install.exitCode}.\`);
  const { snapshotId } = await sandbox.snapshot({ expiration: 0 });
  console.log(snapshotId);
} finally {
  await sandbox.delete();
}
`;
}

/** As a formatter writes it: with the quotes that need no escapes. */
const quotedForSource = (text: string) => `'${text}'`;
