/**
 * The least a pipeline can do and still be one: run the agent program, parse each line, make an event of it, serialise
 * that, send it on. Nothing is kept, nothing is checked, each agent has one reader.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Readable, Writable } from "node:stream";
import { fakeAgentPath } from "@sandbox-agent-ts/testing";

/** What an event is made of, in the line of a delta of each dialect. */
const dialects: Readonly<Record<string, (native: NativeLine) => Delta>> = {
  claude: ({ session_id, event }) => ({ type: event.type, item: session_id, text: event.delta.text }),
  codex: ({ method, params }) => ({ type: method, item: params.itemId, text: params.delta }),
  acp: ({ params: { sessionId, update } }) => ({
    type: update.sessionUpdate,
    item: sessionId,
    text: update.content.text,
  }),
};

/** A line that is known to be of one of these dialects. */
interface NativeLine extends Delta {
  readonly session_id: string;
  readonly event: { readonly type: string; readonly delta: { readonly text: string } };
  readonly method: string;
  readonly params: {
    readonly itemId: string;
    readonly delta: string;
    readonly sessionId: string;
    readonly update: { readonly sessionUpdate: string; readonly content: { readonly text: string } };
  };
}

interface Delta {
  readonly type: string;
  readonly item?: string;
  readonly text?: string;
}

class Pipeline {
  readonly agent: ChildProcessByStdio<Writable, Readable, null>;
  #reader: ServerResponse | undefined;
  #sequence = 0;
  #rest = "";

  readonly #deltaOf: (native: NativeLine) => Delta;

  /** Of the fake agent, or of the one that speaks a dialect. */
  constructor(dialect = "") {
    const program = dialect in dialects ? [process.argv[2]!, "floor", dialect] : [fakeAgentPath];
    this.#deltaOf = dialects[dialect] ?? ((native) => native);
    this.agent = spawn(process.execPath, program, { stdio: ["pipe", "pipe", "inherit"] });
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
      const native = this.#deltaOf(JSON.parse(line) as NativeLine);
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
  const name = url.slice(1, Math.max(1, url.lastIndexOf("/")));
  const pipeline = pipelines.get(name) ?? new Pipeline(name);
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
