#!/usr/bin/env node
/**
 * A small MCP server on stdio, for tests: `shout` answers its `text` in capitals and says that it changes nothing;
 * `whisper` answers it in small letters and does not say what it changes.
 * JSON-RPC 2.0, one message a line, as the stdio transport of MCP wants it.
 */
import { createInterface } from "node:readline";

const inputSchema = {
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
  additionalProperties: false,
};

const tools = [
  {
    name: "shout",
    description: "Says a text in capital letters",
    inputSchema,
    annotations: { readOnlyHint: true },
  },
  { name: "whisper", description: "Says a text in small letters", inputSchema },
];

const results = { shout: (text) => text.toUpperCase(), whisper: (text) => text.toLowerCase() };

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "contract", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools }),
  "tools/call": ({ name, arguments: { text } }) =>
    Object.hasOwn(results, name)
      ? { content: [{ type: "text", text: results[name](text) }] }
      : { content: [{ type: "text", text: `There is no tool ${name}.` }], isError: true },
};

function answer({ id, method, params = {} }) {
  const run = methods[method];
  if (!run) return { jsonrpc: "2.0", id, error: { code: -32601, message: `There is no method ${method}.` } };
  return { jsonrpc: "2.0", id, result: run(params) };
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  const isNotification = message.id === undefined;
  if (!isNotification) process.stdout.write(`${JSON.stringify(answer(message))}\n`);
}
