// Stands in for a coding agent where there is no key: speaks the Agent Client Protocol and objects to console.log.
import { createInterface } from "node:readline";

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const answers = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {}, authMethods: [] }),
  "session/new": () => ({ sessionId: "review" }),
  "session/prompt": ({ sessionId, prompt }) => {
    const comments = objectionsTo(prompt.map(({ text = "" }) => text).join("\n"));
    const text = `I looked at it.\n\n\`\`\`json\n${JSON.stringify(comments)}\n\`\`\`\n`;
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
    send({ method: "session/update", params: { sessionId, update } });
    return { stopReason: "end_turn" };
  },
};

function objectionsTo(diff) {
  const comments = [];
  let path = "";
  let line = 0;
  for (const text of diff.split("\n")) {
    if (text.startsWith("+++ b/")) path = text.slice(6);
    else if (text.startsWith("@@")) line = Number(/\+(\d+)/.exec(text)[1]) - 1;
    else if (!text.startsWith("-")) line += 1;
    if (text.startsWith("+") && text.includes("console.log"))
      comments.push({ path, line, comment: "Use the logger: console.log has no level." });
  }
  return comments;
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  if (answers[method]) send({ id, result: answers[method](params) });
  else send({ id, error: { code: -32601, message: `${method} is not there` } });
}
