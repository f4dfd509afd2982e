// An agent over ACP that does what the first word of a prompt says. It notes the last line of every prompt in the file
// PROMPTS, or posts it there where that is a URL.
import { spawn } from "node:child_process";
import { appendFileSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const MEGABYTE = 1024 * 1024;
let sessions = 0;
let questions = 0;
const answers = new Map();

const write = (message) =>
  new Promise((resolve) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`, resolve));
const update = (sessionId, change) => write({ method: "session/update", params: { sessionId, update: change } });
const say = (sessionId, text) =>
  update(sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

/** A process that is told to shed everything by which it could be found; says its pid. */
const shed = {
  session: "setsid sleep 600 & echo $!",
  environment: "env -i setsid sleep 600 & echo $!",
  parent: "(env -i setsid sh -c 'echo $$; exec sleep 600' &)",
  name: "perl -e '$0 = q(worker); $| = 1; print qq($$\\n); close STDOUT; sleep 600' &",
};

const acts = {
  /** So many pieces of so many bytes of one character in one message. */
  async flood(id, pieces, bytes, character = "x") {
    const text = (character === "control" ? "\u0001" : character).repeat(Number(bytes));
    for (let piece = 0; piece < Number(pieces); piece++) await say(id, text);
  },
  async once(id, megabytes) {
    await say(id, "x".repeat(Number(megabytes) * MEGABYTE));
  },
  async leave(id, how) {
    const shell = spawn("sh", ["-c", shed[how]], { stdio: ["ignore", "pipe", "ignore"] });
    const [pid] = await new Promise((resolve) =>
      shell.stdout.once("data", (data) => resolve(String(data).split("\n"))),
    );
    await say(id, `pid ${pid}`);
  },
  async odd(id) {
    await update(id, { sessionUpdate: "tool_call", toolCallId: 7, title: { a: 1 }, kind: [], content: {} });
    await update(id, { sessionUpdate: "agent_message_chunk", content: { type: "text", text: { no: "text" } } });
    await say(id, "still here");
  },
  async slow(id, pieces, ms) {
    for (let piece = 1; piece <= Number(pieces); piece++) {
      await sleep(Number(ms));
      await say(id, `${piece} `);
    }
  },
  async ask(id) {
    const question = `question-${++questions}`;
    const answer = new Promise((resolve) => answers.set(question, resolve));
    const options = ["allow_once", "allow_always", "reject_once"].map((kind) => ({ optionId: kind, name: kind, kind }));
    const toolCall = { toolCallId: question, title: "true", kind: "execute", rawInput: { command: "true" } };
    await write({
      id: question,
      method: "session/request_permission",
      params: { sessionId: id, toolCall, options },
    });
    await say(id, JSON.stringify(await answer));
  },
  /** `+name` appends to a file, `-name` deletes it, `?` asks before it goes on. */
  async files(id, ...steps) {
    for (const step of steps) {
      if (step === "?") await acts.ask(id);
      else if (step.startsWith("+")) appendFileSync(step.slice(1), "A line.\n");
      else rmSync(step.slice(1));
    }
  },
  async exit(id, code) {
    await say(id, "goodbye");
    process.exit(Number(code));
  },
  async hang() {
    await new Promise(() => setInterval(() => {}, 1_000_000));
  },
};

async function note(line) {
  const place = process.env.PROMPTS;
  if (!place) return;
  if (place.startsWith("http:")) await fetch(place, { method: "POST", body: line });
  else appendFileSync(place, `${line}\n`);
}

async function prompt({ sessionId, prompt: parts }) {
  const text = parts.map((part) => part.text ?? "").join("");
  const said = text.split("\n").at(-1);
  await note(said.slice(0, 100));
  const [word, ...rest] = said.split(" ");
  if (acts[word]) await acts[word](sessionId, ...rest);
  else await say(sessionId, `heard ${said.slice(0, 100)}`);
  return { stopReason: "end_turn" };
}

const methods = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true }, authMethods: [] }),
  "session/new": () => ({ sessionId: `hostile-${++sessions}` }),
  "session/load": () => ({}),
  "session/prompt": prompt,
};

createInterface(process.stdin).on("line", async (line) => {
  const { id, method, params, result: answer } = JSON.parse(line);
  if (method === undefined) answers.get(id)?.(answer);
  if (id === undefined || method === undefined) return;
  const result = methods[method] ? await methods[method](params ?? {}) : {};
  await write({ id, result });
});
process.stdin.on("end", () => process.exit());
