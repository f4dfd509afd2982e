/**
 * The least a pipeline can do and still be one: run the agent program, parse each line, make an event of it, serialise
 * that, send it on. Nothing is kept, nothing is checked, there is one reader.
 */
import { spawn } from "node:child_process";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fakeAgentPath } from "@sandbox-agent/testing";

let reader: ServerResponse | undefined;
let sequence = 0;

const agent = spawn(process.execPath, [fakeAgentPath], { stdio: ["pipe", "pipe", "inherit"] });
let rest = "";
agent.stdout.setEncoding("utf8").on("data", (chunk: string) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop()!;
  let frames = "";
  for (const line of lines) {
    const native = JSON.parse(line) as { type: string; item?: string; text?: string };
    sequence += 1;
    const event = {
      event_id: `evt_${sequence}`,
      sequence,
      time: new Date().toISOString(),
      session_id: "s",
      native_session_id: null,
      source: "agent",
      synthetic: false,
      type: native.type,
      data: { item_id: native.item, delta: native.text },
    };
    frames += `id: ${sequence}\ndata: ${JSON.stringify(event)}\n\n`;
  }
  reader?.write(frames);
});

const server = createServer((request, response) => {
  if (request.method === "GET") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(":\n\n");
    reader = response;
    sequence = 0;
    return;
  }
  let body = "";
  request.on("data", (chunk) => {
    body += chunk;
  });
  request.on("end", () => {
    agent.stdin.write(`${JSON.stringify({ type: "prompt", text: JSON.parse(body).message })}\n`);
    response.writeHead(202).end();
  });
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.once("SIGTERM", () => {
  agent.kill();
  process.exit(0);
});
