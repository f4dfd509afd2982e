import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { Box, BoxProcess } from "../box/box.ts";
import type { ServiceCall, ServiceRoute } from "../http-service.ts";
import type { DaytonaSandbox } from "./daytona-sandbox.ts";
import { Refusal, route } from "./refusal.ts";
import { toolboxFiles } from "./toolbox-files.ts";

interface ExecuteRequest {
  readonly command: string;
  readonly cwd?: string;
  readonly envs?: Readonly<Record<string, string>>;
  /** Seconds. */
  readonly timeout?: number;
}

export interface ToolboxOptions {
  /** Rejects where it does not run; using it counts as activity. */
  use(id: string): DaytonaSandbox;
}

/** The program in each sandbox that runs commands and keeps files, as it is reached through the service. */
export function toolbox({ use }: ToolboxOptions): readonly ServiceRoute[] {
  const at = (name: string, where: string, work: (call: ServiceCall, sandbox: DaytonaSandbox) => Promise<void>) => {
    const [method, path] = where.split(" ");
    return route(name, `${method} /toolbox/:id${path}`, async (call) => work(call, use(call.params.id!)));
  };
  const session = "/process/session/:session";
  return [
    at("run", "POST /process/execute", async (call, { box }) => {
      call.answer(200, await execute(box!, await call.json<ExecuteRequest>()));
    }),
    at("session", "POST /process/session", async (call, { sessions }) => {
      const { sessionId } = await call.json<{ sessionId: string }>();
      if (!sessions.add(sessionId)) throw new Refusal(409, "session already exists");
      call.answer(201);
    }),
    at("sessions", "GET /process/session", async (call, { sessions }) => call.answer(200, sessions.all)),
    at("session-run", `POST ${session}/exec`, async (call, { sessions }) => {
      const { command, runAsync = false } = await call.json<{ command: string; runAsync?: boolean }>();
      if (!sessions.has(call.params.session!)) throw new Refusal(404, "session not found");
      const started = await sessions.execute(call.params.session!, command, runAsync);
      if (runAsync) return call.answer(202, { cmdId: started.id });
      await started.ended;
      call.answer(200, { cmdId: started.id, exitCode: started.exitCode, ...started.logs() });
    }),
    at("session-command", `GET ${session}/command/:command`, async (call, sandbox) => {
      call.answer(200, commandOf(call, sandbox).shown);
    }),
    at("session-input", `POST ${session}/command/:command/input`, async (call, sandbox) => {
      commandOf(call, sandbox).write((await call.json<{ data: string }>()).data);
      call.answer(204);
    }),
    at("session-logs", `GET ${session}/command/:command/logs`, async (call, sandbox) => {
      call.answer(200, commandOf(call, sandbox).logs());
    }),
    at("session-delete", `DELETE ${session}`, async (call, { sessions }) => {
      if (!sessions.delete(call.params.session!)) throw new Refusal(404, "session not found");
      call.answer(204);
    }),
    ...toolboxFiles(at),
  ];
}

/** The command is fed to a shell by its standard input, so that what it runs may read on in it. Both outputs are one. */
async function execute(box: Box, { command, cwd, envs, timeout = 0 }: ExecuteRequest) {
  if (command.trim() === "") throw new Refusal(400, "command cannot be empty or whitespace-only");
  const process = await box.exec(["/bin/sh", "-c", "exec /bin/sh 2>&1"], { cwd, env: envs, input: command });
  let isOver = false;
  const end = () => {
    isOver = true;
    process.kill("SIGKILL", true);
  };
  const timer = timeout > 0 ? setTimeout(end, timeout * 1_000) : undefined;
  const output = await outputOf(process);
  const { code } = await process.exited;
  clearTimeout(timer);
  if (isOver) throw new Refusal(408, "command execution timeout");
  return { exitCode: code ?? -1, result: output };
}

/** Until nobody holds it any more, also what was left in the background. */
async function outputOf({ stdout }: BoxProcess): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of stdout) chunks.push(chunk);
  } catch {
    // It ended with its box.
  }
  return Buffer.concat(chunks).toString();
}

function commandOf({ params }: ServiceCall, { sessions }: DaytonaSandbox) {
  const command = sessions.command(params.session!, params.command!);
  if (command === undefined) throw new Refusal(404, "command not found");
  return command;
}

const logsPath = /^\/toolbox\/([^/]+)\/process\/session\/([^/]+)\/command\/([^/]+)\/logs(?:\?|$)/;
const sockets = new WebSocketServer({ noServer: true });

/** The log of a session's command as a stream, over a WebSocket; ends with the command. */
export function streamLogs(request: IncomingMessage, socket: Duplex, head: Buffer, { use }: ToolboxOptions): void {
  const [, id = "", session = "", commandId = ""] = logsPath.exec(request.url ?? "") ?? [];
  let command: ReturnType<DaytonaSandbox["sessions"]["command"]>;
  try {
    command = use(id).sessions.command(session, commandId);
  } catch {
    // It does not run.
  }
  if (command === undefined) return void socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
  const found = command;
  sockets.handleUpgrade(request, socket, head, (stream) => {
    const stop = found.follow((marked) => stream.send(marked));
    stream.once("close", stop);
    void found.ended.then(() => stream.close());
  });
}
