/**
 * The least a pipeline can do and still be one: run the agent program, parse each line, make an event of it, serialise
 * that, send it on. Nothing is kept, nothing is checked, each agent has one reader.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Readable, Writable } from "node:stream";
import { fakeAgentPath } from "@sandbox-agent-ts/testing";

class Pipeline {
  readonly agent: ChildProcessByStdio<Writable, Readable, null>;
  #reader: ServerResponse | undefined;
  #sequence = 0;
  #rest = "";

  constructor() {
    this.agent = spawn(process.execPath, [fakeAgentPath], { stdio: ["pipe", "pipe", "inherit"] });
    this.agent.stdout.setEncoding("utf8").on("data", (chunk: string) => this.#take(chunk));
  }

  prompt(text: string): void {
    this.agent.stdin.write(`${JSON.stringify({ type: "prompt", text })}\n`);
  }

  read(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(":\n\n");
    this.#reader = response;
    this.#sequence = 0;
  }

  #take(chunk: string): void {
    const lines = (this.#rest + chunk).split("\n");
    this.#rest = lines.pop()!;
    let frames = "";
    for (const line of lines) {
      const native = JSON.parse(line) as { type: string; item?: string; text?: string };
      this.#sequence += 1;
      const event = {
        event_id: `evt_${this.#sequence}`,
        sequence: this.#sequence,
        time: new Date().toISOString(),
        session_id: "s",
        native_session_id: null,
        source: "agent",
        synthetic: false,
        type: native.type,
        data: { item_id: native.item, delta: native.text },
      };
      frames += `id: ${this.#sequence}\ndata: ${JSON.stringify(event)}\n\n`;
    }
    this.#reader?.write(frames);
  }
}

/** One for each name before `/events` and `/messages`; the first is there from the start. */
const pipelines = new Map([["", new Pipeline()]]);

function pipelineOf(url: string): Pipeline {
  const name = url.slice(0, url.lastIndexOf("/"));
  const pipeline = pipelines.get(name) ?? new Pipeline();
  pipelines.set(name, pipeline);
  return pipeline;
}

const server = createServer((request, response) => {
  const pipeline = pipelineOf(request.url!);
  if (request.method === "GET") return pipeline.read(response);
  let body = "";
  request.on("data", (chunk) => {
    body += chunk;
  });
  request.on("end", () => {
    pipeline.prompt(JSON.parse(body).message);
    response.writeHead(202).end();
  });
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.once("SIGTERM", () => {
  for (const { agent } of pipelines.values()) agent.kill();
  process.exit(0);
});
