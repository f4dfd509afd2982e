#!/usr/bin/env node
/**
 * A small MCP server on stdio, for tests: one tool, `shout`, which answers its `text` in capitals.
 * JSON-RPC 2.0, one message a line, as the stdio transport of MCP wants it.
 */
import { createInterface } from "node:readline";

const tool = {
  name: "shout",
  description: "Says a text in capital letters",
  inputSchema: {
    type: "object",
    properties: { text: { type: "string" } },
    required: ["text"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
};

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "contract", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: [tool] }),
  "tools/call": ({ name, arguments: { text } }) =>
    name === tool.name
      ? { content: [{ type: "text", text: text.toUpperCase() }] }
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
