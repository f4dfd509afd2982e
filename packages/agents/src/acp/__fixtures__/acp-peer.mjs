// An agent built with the official SDK, which holds everything we send against its schema. It does what it is told:
// the first word of a prompt is one of `acts`.
import { appendFileSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";

const { client: theirs, agent: ours } = methods;
const cancelled = new Map();
let sessions = 0;

const text = (words) => ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: words } });

function stage(client, sessionId) {
  const update = (change) => client.notify(theirs.session.update, { sessionId, update: change });
  return { client, sessionId, update, say: (words) => update(text(words)) };
}

const acts = {
  echo: ({ say }, _words, prompt) => say(JSON.stringify(prompt)),

  async terminal({ client, sessionId, update, say }, command) {
    await update({ sessionUpdate: "tool_call", toolCallId: "t", title: command, kind: "execute" });
    const { terminalId } = await client.request(theirs.terminal.create, { sessionId, command, outputByteLimit: 1000 });
    await update({ sessionUpdate: "tool_call_update", toolCallId: "t", content: [{ type: "terminal", terminalId }] });
    const exit = await client.request(theirs.terminal.waitForExit, { sessionId, terminalId });
    const { truncated } = await client.request(theirs.terminal.output, { sessionId, terminalId });
    await client.request(theirs.terminal.release, { sessionId, terminalId });
    const status = exit.exitCode === 0 ? "completed" : "failed";
    await update({ sessionUpdate: "tool_call_update", toolCallId: "t", status });
    const again = await client.request(theirs.terminal.output, { sessionId, terminalId }).catch((error) => error.code);
    await say(JSON.stringify({ exitCode: exit.exitCode, truncated, again }));
  },

  async sleep({ client, sessionId, say }, command) {
    const { terminalId } = await client.request(theirs.terminal.create, { sessionId, command });
    await client.request(theirs.terminal.kill, { sessionId, terminalId });
    const { signal } = await client.request(theirs.terminal.waitForExit, { sessionId, terminalId });
    await say(`killed by ${signal}`);
  },

  async files({ client, sessionId, say }, path) {
    const written = await client.request(theirs.fs.writeTextFile, { sessionId, path, content: "1\n2\n3\n" }).then(
      () => "written",
      (error) => error.message,
    );
    const read = { sessionId, path, line: 2, limit: 1 };
    const { content } = await client.request(theirs.fs.readTextFile, read).catch(({ code }) => ({ content: code }));
    await say(`${written} ${content}`);
  },

  async ask({ client, sessionId, say }) {
    const requestedSchema = {
      type: "object",
      properties: {
        colour: {
          type: "string",
          title: "Colour",
          oneOf: [
            { const: "#00f", title: "Blue" },
            { const: "#f00", title: "Red" },
          ],
        },
        places: { type: "array", title: "Places", items: { type: "string", enum: ["Header", "Footer"] } },
        count: { type: "integer", title: "Count" },
        sure: { type: "boolean", title: "Sure?" },
      },
      required: ["colour"],
    };
    await say(
      JSON.stringify(
        await client.request(theirs.elicitation.create, {
          sessionId,
          mode: "form",
          message: "Which?",
          requestedSchema,
        }),
      ),
    );
  },

  async permission({ client, sessionId, update, say }, kinds) {
    const options = kinds.split(",").map((kind, at) => ({ optionId: `o${at}`, name: kind, kind }));
    const toolCall = {
      toolCallId: `p${Date.now()}`,
      title: "touch a",
      kind: "execute",
      rawInput: { command: "touch a" },
    };
    const { outcome } = await client.request(theirs.session.requestPermission, { sessionId, toolCall, options });
    await update({ ...toolCall, sessionUpdate: "tool_call_update", status: "completed" });
    await say(outcome.optionId ?? outcome.outcome);
  },

  /** Asks, and does not wait for the answer: ends the call, cancels the request, or ends the turn. */
  async withdraw({ client, sessionId, update, say }, how) {
    const toolCall = { toolCallId: "w", title: "touch a", kind: "execute", rawInput: { command: "touch a" } };
    const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
    const asked = client.request(theirs.session.requestPermission, { sessionId, toolCall, options });
    if (how === "turn") return;
    if (how === "call") await update({ ...toolCall, sessionUpdate: "tool_call_update", status: "failed" });
    // Ids of the SDK's requests count from 0, and this is the first one.
    if (how === "request") await client.notify("$/cancel_request", { requestId: 0 });
    const { outcome } = await asked;
    await say(outcome.outcome);
  },

  /** Values of other types than promised, and the answer to the prompt, in one write; the prompt is its third request. */
  async odd({ sessionId }) {
    const updates = [
      text("before "),
      { sessionUpdate: "tool_call", toolCallId: 7, title: { a: 1 }, content: {}, status: "completed" },
      { sessionUpdate: "agent_message_chunk", content: "plain " },
      "no update at all",
      text("after"),
    ].map((update) => ({ method: "session/update", params: { sessionId, update } }));
    const lines = [...updates, { id: 3, result: { stopReason: "end_turn", usage: { inputTokens: "many" } } }];
    process.stdout.write(lines.map((line) => `${JSON.stringify({ jsonrpc: "2.0", ...line })}\n`).join(""));
  },

  async mode({ update, say }, currentModeId) {
    await update({ sessionUpdate: "current_mode_update", currentModeId });
    await say("changed");
  },

  async plan({ client, sessionId, update, say }, text) {
    const entries = [
      { content: "Measure", priority: "high", status: "completed" },
      { content: "Cut", priority: "low", status: "pending" },
    ];
    await update({ sessionUpdate: "plan", entries });
    await update({ sessionUpdate: "plan", entries });
    const content = [{ type: "content", content: { type: "text", text } }];
    const toolCall = { toolCallId: "leave", title: "Ready to build?", kind: "switch_mode", content };
    const options = [
      { optionId: "go", name: "Yes", kind: "allow_once" },
      { optionId: "stay", name: "No", kind: "reject_once" },
    ];
    const { outcome } = await client.request(theirs.session.requestPermission, { sessionId, toolCall, options });
    await say(outcome.optionId ?? outcome.outcome);
  },

  async strange({ client, update, say }) {
    const code = await client.request("vendor/queue", {}).then(
      () => "taken",
      (error) => error.code,
    );
    await client.notify("vendor/news", { a: 1 });
    await update({ sessionUpdate: "vendor_update", content: 7 });
    process.stdout.write("this is no message\n");
    await say(String(code));
  },

  async news({ update }) {
    await update({ sessionUpdate: "current_mode_update", currentModeId: "careful" });
    await update({ sessionUpdate: "usage_update", used: 10, size: 100, cost: { amount: 0.5, currency: "EUR" } });
    await update({ sessionUpdate: "compaction_update", compactionId: "c", status: "completed" });
    await update({ sessionUpdate: "notice", severity: "warning", title: "Nearly full" });
    await update({
      sessionUpdate: "agent_message_chunk",
      content: { type: "image", data: "AAAA", mimeType: "image/png" },
    });
  },

  wait: ({ sessionId }) => new Promise((resolve) => cancelled.set(sessionId, resolve)),
  async retry({ sessionId, update }) {
    await update({ sessionUpdate: "notice", severity: "warning", title: "Trying again" });
    return acts.wait({ sessionId });
  },
  /** Says only in its log what it does. */
  log({ sessionId }, line) {
    appendFileSync(process.env.PEER_LOG, `${new Date().toISOString()} ${line}\n`);
    return acts.wait({ sessionId });
  },
  deaf(stage, line) {
    void acts.log(stage, line);
    return new Promise(() => {});
  },
  stop: () => "cancelled",
  async refused({ client, sessionId }) {
    const toolCall = { toolCallId: "r", title: "touch a", kind: "execute" };
    const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
    const { outcome } = await client.request(theirs.session.requestPermission, { sessionId, toolCall, options });
    return outcome.outcome;
  },
  refuse: () => "refusal",
  fail: () => {
    throw new RequestError(-32603, "Internal error", { details: "429 Too Many Requests" });
  },
  exit: () => {
    process.stderr.write("the peer has had enough\n");
    process.exit(3);
  },
  async leave({ client, sessionId }, command) {
    await client.request(theirs.terminal.create, { sessionId, command });
    setTimeout(() => process.exit(3), 500);
    await new Promise(() => {});
  },

  async background({ client, sessionId, say }) {
    const toolCall = { toolCallId: "b", title: "Later" };
    const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
    setTimeout(async () => {
      const { outcome } = await client.request(theirs.session.requestPermission, { sessionId, toolCall, options });
      await say(outcome.outcome);
    }, 50);
  },

  late: ({ say }) => void setImmediate(() => setImmediate(() => void say("too late"))),
};

const opened = {
  modes: {
    currentModeId: "careful",
    availableModes: [
      { id: "careful", name: "Careful" },
      { id: "free", name: "Free" },
    ],
  },
  configOptions: [
    {
      id: "m",
      name: "Model",
      category: "model",
      type: "select",
      currentValue: "small",
      options: ["small", "big"].map((value) => ({ value, name: value })),
    },
  ],
};

const peer = agent({ name: "peer" })
  .onRequest(ours.initialize, ({ params }) => ({
    protocolVersion: params.protocolVersion,
    agentCapabilities: {
      loadSession: !process.env.PEER_FORGETS,
      promptCapabilities: { image: true, embeddedContext: true },
    },
    authMethods: [{ id: "password", name: "Password", description: "Say the password" }],
  }))
  .onRequest(ours.authenticate, ({ params }) => {
    process.env.PEER_SIGNED_IN = params.methodId;
    return {};
  })
  .onRequest(ours.session.new, ({ params }) => {
    if (process.env.PEER_WANTS_PASSWORD && process.env.PEER_SIGNED_IN !== "password") throw RequestError.authRequired();
    if (params.mcpServers.length > 0) process.stderr.write(JSON.stringify(params.mcpServers));
    return { sessionId: `peer-${process.pid}-${++sessions}`, ...opened };
  })
  .onRequest(ours.session.load, async ({ params, client }) => {
    await stage(client, params.sessionId).say("old words");
    return opened;
  })
  .onRequest(ours.session.setMode, async ({ params, client }) => {
    await client.notify(theirs.session.update, {
      sessionId: params.sessionId,
      update: { sessionUpdate: "current_mode_update", currentModeId: params.modeId },
    });
    return {};
  })
  .onRequest(ours.session.setConfigOption, ({ params }) => {
    if (!["small", "big"].includes(params.value)) throw RequestError.invalidParams({}, "no such model");
    return { configOptions: [{ ...opened.configOptions[0], currentValue: params.value }] };
  })
  .onRequest(ours.session.prompt, async ({ params, client }) => {
    const said = params.prompt.findLast(({ type }) => type === "text").text;
    const [name, ...words] = said.split(" ");
    const stopReason = await acts[name](stage(client, params.sessionId), words.join(" "), params.prompt);
    const usage = { inputTokens: 3, outputTokens: 2, totalTokens: 5, cachedReadTokens: 1 };
    return { stopReason: typeof stopReason === "string" ? stopReason : "end_turn", usage };
  })
  .onNotification(ours.session.cancel, ({ params }) => cancelled.get(params.sessionId)?.("cancelled"));

peer.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
