import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { commentsIn } from "./comments.ts";

const [directory = ".", base = "HEAD~1"] = process.argv.slice(2);
const cwd = resolve(process.env.INIT_CWD ?? ".", directory);
const diff = execFileSync("git", ["diff", "--no-color", "--no-ext-diff", base], { cwd, encoding: "utf8" });
const standIn = {
  id: "stand-in",
  command: process.execPath,
  args: [fileURLToPath(new URL("../stand-in-agent.mjs", import.meta.url))],
};

const client = await SandboxAgent.start({ spawn: { env: { SANDBOX_AGENT_ACP_AGENTS: JSON.stringify([standIn]) } } });
try {
  const session = client.session(`review-${randomUUID()}`, {
    agent: process.env.AGENT ?? standIn.id,
    directory: cwd,
    // It may look around and nothing else; nobody is there to be asked.
    policy: { rules: [{ action: "allow", kind: "read" }], otherwise: "deny" },
  });
  const { text, outcome, message } =
    await session.run(`Review this change of the project you are in. Read what you need,
change nothing. Write about faults only, not about taste. End with one block of JSON, an empty list if all is well:

\`\`\`json
[{ "path": "src/file.ts", "line": 12, "comment": "what is wrong, and what to do" }]
\`\`\`

${diff}`);
  if (outcome !== "completed") throw new Error(`The review did not end well: ${message ?? outcome}`);
  console.log(JSON.stringify(commentsIn(text, diff), null, 2));
} finally {
  await client.dispose();
}
