#!/usr/bin/env node
/**
 * A fake agent program: a real process that talks JSON lines and misbehaves when told to.
 *
 *   fake-agent.mjs [--session ID]      goes on with session ID, else begins one of its own
 *
 * stdin, one JSON object a line:
 *   {"type":"prompt","text":"…"}                      one turn; prompts run one after the other
 *   {"type":"permission_reply","id":"…","reply":"once"|"always"|"reject","reason":"…"}
 *   {"type":"interrupt"}                              ends the running turn
 * End of input ends the program, except after `hang`.
 *
 * stdout, one JSON object a line:
 *   {"type":"ready","session":"…"}                    first line
 *   {"type":"item_start","item":"m1"}                 a message begins
 *   {"type":"text_delta","item":"m1","text":"…"}      a piece of it
 *   {"type":"item_end","item":"m1"}                   it is complete
 *   {"type":"permission_ask","id":"p1","action":"…","command":"…"}  waits for permission_reply
 *   {"type":"done","reason":"completed"|"interrupted"|"error","message":"…"}   the turn is over
 *
 * The first word of the prompt says what to do; any other text is echoed, a word a delta.
 *   crash [CODE]          exits in the middle of an item (default 1)
 *   hang                  never answers again, not even to interrupts or the end of input
 *   flood N SIZE [CODE]   N deltas of SIZE bytes, each beginning with its number, as fast as the pipe takes them; filled
 *                         with "x" or with the character of this code
 *   slow N MS             N deltas with MS milliseconds between them
 *   clock N MS            the same, each saying when it was written: nanoseconds of the machine's monotonic clock
 *   half-char             tears a character in two writes
 *   long-line MB          a delta whose line is exactly MB MiB long, then an ordinary one
 *   garbage               a line that is not JSON
 *   stderr N              N lines on stderr
 *   fail                  the turn ends with reason error
 *   permission            asks for permission and says what was replied
 *   ignore-term           ignores SIGTERM from now on
 *   close-input           closes its stdin and stays
 *   grandchild            leaves a process in the group, holding the pipes, and says its pid
 *   grandchild-detached   leaves one outside the group
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { closeSync } from "node:fs";
import { createInterface } from "node:readline";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";

const WRITE_BYTES = 64 * 1024;
const TORN_WRITE_PAUSE_MS = 30;
const GRANDCHILD_LIFE_SECONDS = "600";

const replies = new Map();
const openTurns = new Set();
let itemCount = 0;
let permissionCount = 0;

const scenarios = {
  crash: async ({ words: [code = "1"], say }) => {
    await say("about to ");
    process.exit(Number(code));
  },
  hang: () => new Promise(() => setInterval(() => {}, 1_000_000)),
  flood: async ({ words, item, signal }) => {
    const [count, size, code = 120] = words.map(Number);
    const filling = JSON.stringify(String.fromCharCode(code)).slice(1, -1);
    const [before, after] = deltaLine(item, "|").split("|");
    let batch = "";
    for (let n = 1; n <= count; n += 1) {
      batch += before + n + filling.repeat(Math.max(0, size - String(n).length)) + after;
      if (batch.length < WRITE_BYTES && n < count) continue;
      await write(batch);
      batch = "";
      await setImmediate(undefined, { signal });
    }
  },
  slow: async ({ words: [count, ms], say, signal }) => {
    for (let n = 1; n <= Number(count); n += 1) {
      await sleep(Number(ms), undefined, { signal });
      await say(`${n} `);
    }
  },
  clock: async ({ words: [count, ms], say, signal }) => {
    for (let n = 1; n <= Number(count); n += 1) {
      await sleep(Number(ms), undefined, { signal });
      await say(`@${process.hrtime.bigint()}`);
    }
  },
  "half-char": async ({ item }) => {
    const line = Buffer.from(deltaLine(item, "né€😀!"));
    const middleOfEmoji = line.indexOf(Buffer.from("😀")) + 2;
    await write(line.subarray(0, middleOfEmoji));
    await sleep(TORN_WRITE_PAUSE_MS);
    await write(line.subarray(middleOfEmoji));
  },
  "long-line": async ({ words: [megabytes], say, item }) => {
    const frame = deltaLine(item, "").length - "\n".length;
    await say("x".repeat(Number(megabytes) * 1024 * 1024 - frame));
    await say("after");
  },
  garbage: async ({ say }) => {
    await write("this is not JSON\n");
    await say("after");
  },
  stderr: async ({ words: [count], say }) => {
    const lines = Array.from({ length: Number(count) }, (_, index) => `stderr line ${index + 1}\n`);
    if (!process.stderr.write(lines.join(""))) await once(process.stderr, "drain");
    await say("said it");
  },
  fail: async ({ say }) => {
    await say("this goes wrong");
    return { reason: "error", message: "The fake agent was told to fail." };
  },
  permission: async ({ say, signal }) => {
    const id = `p${++permissionCount}`;
    signal.throwIfAborted();
    const { reply, reason } = await new Promise((resolve, reject) => {
      replies.set(id, resolve);
      signal.addEventListener("abort", reject, { once: true });
      writeJson({ type: "permission_ask", id, action: "run a command", command: "echo fake" });
    });
    await say(reason === undefined ? `replied ${reply}` : `replied ${reply}: ${reason}`);
  },
  "ignore-term": async ({ say }) => {
    process.on("SIGTERM", () => {});
    await say("ignoring SIGTERM");
  },
  "close-input": async ({ say }) => {
    setInterval(() => {}, 1_000_000);
    input.close();
    closeSync(0);
    await say("closed");
  },
  grandchild: async ({ say }) => say(String(leaveGrandchild({ detached: false }))),
  "grandchild-detached": async ({ say }) => say(String(leaveGrandchild({ detached: true }))),
};

function leaveGrandchild({ detached }) {
  const child = spawn("sleep", [GRANDCHILD_LIFE_SECONDS], { detached, stdio: "inherit" });
  child.unref();
  return child.pid;
}

async function echo({ text, say }) {
  for (const word of text.match(/\s*\S+\s*$|\s*\S+/g) ?? [text]) await say(word);
}

async function runTurn(text, signal) {
  const item = `m${++itemCount}`;
  const say = (delta) => write(deltaLine(item, delta));
  const [name, ...words] = text.trim().split(/\s+/);
  const scenario = Object.hasOwn(scenarios, name) ? scenarios[name] : echo;
  await writeJson({ type: "item_start", item });
  let outcome = { reason: "completed" };
  try {
    outcome = (await scenario({ text, words, say, item, signal })) ?? outcome;
  } catch (error) {
    if (!signal.aborted) throw error;
    outcome = { reason: "interrupted" };
  }
  await write(`${JSON.stringify({ type: "item_end", item })}\n${JSON.stringify({ type: "done", ...outcome })}\n`);
}

function queueTurn(text) {
  const turn = new AbortController();
  openTurns.add(turn);
  turns = turns.then(() => runTurn(text, turn.signal)).finally(() => openTurns.delete(turn));
}

function interruptTurns() {
  for (const turn of openTurns) turn.abort();
}

function deltaLine(item, text) {
  return `${JSON.stringify({ type: "text_delta", item, text })}\n`;
}

function writeJson(value) {
  return write(`${JSON.stringify(value)}\n`);
}

async function write(bytes) {
  if (!process.stdout.write(bytes)) await once(process.stdout, "drain");
}

const sessionFlag = process.argv.indexOf("--session");
const session = sessionFlag === -1 ? `fake-${randomUUID()}` : process.argv[sessionFlag + 1];
let turns = writeJson({ type: "ready", session });

const input = createInterface({ input: process.stdin });
input.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "prompt") queueTurn(message.text);
  if (message.type === "permission_reply") replies.get(message.id)?.(message);
  if (message.type === "interrupt") interruptTurns();
});
