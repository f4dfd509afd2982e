// The same tour with every agent the daemon has: a turn with a tool call, every request answered, a turn interrupted, and
// one shape of transcript for all. No agent is named here.
//
//   npm run build
//   SANDBOX_AGENT_URL=http://127.0.0.1:2468 SANDBOX_AGENT_TOKEN=… node examples/every-agent.mjs
import { randomUUID } from "node:crypto";
import { emptyTranscript, foldEvents, SandboxAgent } from "@sandbox-agent-ts/sdk";

const command = "Run the shell command `echo hello from the tour` and tell me what it printed.";
const story = "Tell me a long story about a lighthouse.";

const { SANDBOX_AGENT_URL: baseUrl = "http://127.0.0.1:2468", SANDBOX_AGENT_TOKEN: token } = process.env;
const client = await SandboxAgent.connect({ baseUrl, token });
const { agents } = await client.listAgents();

for (const { id, name, installed } of agents) {
  if (installed) await tour(id, name ?? id);
}

async function tour(agent, name) {
  const session = `tour-${agent}-${randomUUID().slice(0, 8)}`;
  try {
    await client.createSession(session, { agent });
    await run(session, command);
    await run(session, story, () => client.interruptSession(session));
    console.log(`## ${name}\n`);
    print(await transcriptOf(session));
  } catch (error) {
    console.log(`## ${name}\n\nfailed: ${error.message}\n`);
    process.exitCode = 1;
  } finally {
    await client.terminateSession(session).catch(() => {});
  }
}

/** One turn. Whatever the agent asks is answered; with `onWord` somebody does something at its first word. */
async function run(session, message, onWord) {
  let acted = onWord === undefined;
  for await (const { type, source, data } of client.streamTurn(session, { message })) {
    if (type === "permission.requested") {
      await client.replyPermission(session, data.permission_id, { reply: "once" });
    } else if (type === "question.requested") {
      const answers = (data.questions ?? [data]).map(({ options }) => [options[0]?.label ?? options[0] ?? "yes"]);
      await client.replyQuestion(session, data.question_id, { answers });
    } else if (!acted && source === "agent" && type.startsWith("item.")) {
      acted = true;
      await onWord();
    }
  }
}

async function transcriptOf(session) {
  const { events } = await client.getEvents(session, { limit: 1000 });
  return foldEvents(emptyTranscript, events);
}

function print({ items, turns }) {
  const byId = new Map(items.map((item) => [item.item_id, item]));
  for (const { itemIds, status, usage } of turns) {
    for (const id of itemIds) console.log(lineOf(byId.get(id)));
    console.log(`— ${status}${usage ? `, ${usage.input_tokens} + ${usage.output_tokens} tokens` : ""}\n`);
  }
}

function lineOf({ kind, role, status, content }) {
  const who = kind === "message" ? role : kind;
  return `${who.padEnd(12)}${status === "failed" ? "(failed) " : ""}${content.map(wordsOf).join(" ")}`.trimEnd();
}

function wordsOf(part) {
  switch (part.type) {
    case "text":
      return part.text;
    case "reasoning":
      return `(${part.text})`;
    case "tool_call":
      return `${part.name} ${part.arguments}`;
    case "tool_result":
      return part.output.trimEnd();
    case "file_ref":
      return `${part.action} ${part.path}`;
    case "status":
      return `${part.label} ${part.detail ?? ""}`;
    default:
      return `[${part.type}]`;
  }
}
