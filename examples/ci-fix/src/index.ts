import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { runCommand } from "./run-command.ts";

const [directory = ".", command = "npm test"] = process.argv.slice(2);
const cwd = resolve(process.env.INIT_CWD ?? ".", directory);
const maxAttempts = Number(process.env.MAX_ATTEMPTS ?? 3);
const standIn = {
  id: "stand-in",
  command: process.execPath,
  args: [fileURLToPath(new URL("../stand-in-agent.mjs", import.meta.url))],
};

let check = await runCommand(command, cwd);
if (check.passed) {
  console.error(`\`${command}\` passes; there is nothing to fix.`);
  process.exit();
}

const client = await SandboxAgent.start({ spawn: { env: { SANDBOX_AGENT_ACP_AGENTS: JSON.stringify([standIn]) } } });
try {
  const session = client.session(`ci-fix-${randomUUID()}`, {
    agent: process.env.AGENT ?? standIn.id,
    directory: cwd,
    policy: {
      rules: [
        {
          action: "deny",
          kind: ["edit", "delete", "move"],
          paths: "**/*.test.*",
          reason: "Fix the code, not the tests.",
        },
        { action: "allow", kind: "read" },
        { action: "allow", kind: "edit", paths: "**" },
        { action: "allow", kind: "execute", commands: command },
      ],
      otherwise: "deny",
    },
  });
  for (let attempt = 1; attempt <= maxAttempts && !check.passed; attempt += 1) {
    const { text } = await session.run(
      `\`${command}\` fails. Find the fault in the code and fix it.\n\n${check.output}`,
    );
    check = await runCommand(command, cwd);
    console.error(`Attempt ${attempt} of ${maxAttempts}: ${check.passed ? "passes" : "still fails"}. ${text}`);
  }
  // The patch alone is on stdout, for `git apply`, a pull request or a comment.
  process.stdout.write(await client.getPatch(session.id));
} finally {
  await client.dispose();
}
process.exitCode = check.passed ? 0 : 1;
