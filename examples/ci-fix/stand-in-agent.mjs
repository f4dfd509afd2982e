// Stands in for a coding agent where there is no key: speaks the Agent Client Protocol, and at the second attempt finds that
// sum.mjs has to add. It asks before it edits.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const waiting = new Map();
let directory = "";
let attempts = 0;

const answers = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {}, authMethods: [] }),
  "session/new": ({ cwd }) => {
    directory = cwd;
    return { sessionId: "fix" };
  },
  "session/prompt": async ({ sessionId }) => {
    const path = join(directory, "sum.mjs");
    attempts += 1;
    if (attempts > 1 && (await mayEdit(sessionId, path)))
      writeFileSync(path, readFileSync(path, "utf8").replace("a - b", "a + b"));
    const content = { type: "text", text: attempts > 1 ? "It has to add." : "I see nothing wrong." };
    send({
      method: "session/update",
      params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content } },
    });
    return { stopReason: "end_turn" };
  },
};

async function mayEdit(sessionId, path) {
  const toolCall = {
    toolCallId: "edit",
    title: "Edit sum.mjs",
    kind: "edit",
    status: "pending",
    locations: [{ path }],
  };
  const options = [
    { optionId: "yes", name: "Allow", kind: "allow_once" },
    { optionId: "no", name: "Reject", kind: "reject_once" },
  ];
  send({ id: "may-edit", method: "session/request_permission", params: { sessionId, toolCall, options } });
  const { outcome } = await new Promise((resolve) => waiting.set("may-edit", resolve));
  return outcome.optionId === "yes";
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params, result } = JSON.parse(line);
  if (method === undefined) waiting.get(id)?.(result);
  else if (id !== undefined) {
    const answer = answers[method];
    if (answer) void Promise.resolve(answer(params)).then((result) => send({ id, result }));
    else send({ id, error: { code: -32601, message: `${method} is not there` } });
  }
}
