/**
 * The program Amp starts to ask whether a tool may be used: it hands the question to the daemon over a socket and waits
 * for the answer, however long that takes. Exit code 0 allows; 2 refuses, and what it then says is told to the model.
 */
export const helperSource = `import { connect } from "node:net";
import { text } from "node:stream/consumers";

const refuse = (reason) => {
  process.stderr.write(reason);
  process.exit(2);
};

const input = await text(process.stdin);
const socket = connect(process.argv[2]);
socket.on("error", () => refuse("Nobody can be asked for permission any more."));
socket.write(JSON.stringify({ tool: process.env.AGENT_TOOL_NAME ?? "", input }) + "\\n");
const answer = await text(socket);
if (answer === "allow") process.exit(0);
refuse(answer || "Nobody answered.");
`;

/** Amp takes a program and no arguments, so a shell script has to know them. */
export function launcherSource(node: string, helper: string, socket: string): string {
  return `#!/bin/sh\nunset NODE_OPTIONS\nexec ${[node, helper, socket].map(quoted).join(" ")}\n`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
