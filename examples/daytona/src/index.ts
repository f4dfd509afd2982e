import { randomUUID } from "node:crypto";
import { startRuntime } from "./start-runtime.ts";

const { client, close } = await startRuntime("daytona");
const session = client.session(`example-${randomUUID()}`, { agent: process.env.AGENT ?? "mock" });
// Ctrl-C ends the turn; what is in `finally` follows.
const interrupted = new AbortController();
const { signal } = interrupted;
process.once("SIGINT", () => interrupted.abort());

try {
  // The first message makes the sandbox.
  console.log("\n# An answer, as it is written");
  const prompt = "In one sentence: what is a sandbox?";
  for await (const piece of session.textStream(prompt, { signal })) process.stdout.write(piece);

  console.log("\n\n# A command, after we allowed it");
  const result = await session.run("Run `echo hello from the sandbox` and tell me what it printed.", {
    signal,
    onPermission: ({ action }) => {
      console.log(`allowed: ${action}`);
      return "once";
    },
  });
  console.log(result.text);

  console.log("\n# What changed");
  await client.writeFsFile({ sessionId: session.id, path: "notes.md" }, "# Notes\n\nWritten from outside.\n");
  console.log((await session.diff()).diff);
} finally {
  // Ends the sandbox, too.
  await session.delete();
  await close();
}
console.log("# The sandbox is gone");
