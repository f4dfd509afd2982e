import type { ServiceCall, ServiceRoute } from "../http-service.ts";
import type { Command, NewCommand, OutputLine } from "./commands.ts";
import { describe, vercelRoute } from "./control-plane.ts";
import { notFound } from "./refusal.ts";
import type { Sandboxes } from "./sandboxes.ts";
import type { VercelSandbox } from "./vercel-sandbox.ts";

interface RunRequest extends NewCommand {
  readonly wait?: boolean;
  readonly logs?: boolean;
}

/** The part of Vercel's API that is about a session: its commands, its files and its end. */
export function sessionRoutes(sandboxes: Sandboxes): readonly ServiceRoute[] {
  const route = (name: string, where: string, work: (call: ServiceCall, sandbox: VercelSandbox) => Promise<void>) => {
    const [method, path] = where.split(" ") as [string, string];
    return vercelRoute(name, `${method} /v2/sandboxes/sessions/:session${path}`, (call) =>
      work(call, sandboxes.ofSession(call.params.session!)),
    );
  };
  return [
    route("run", "POST /cmd", run),
    route("command", "GET /cmd/:command", async (call, sandbox) => {
      const command = commandOf(call, sandbox);
      if (call.query.get("wait") === "true") await command.ended;
      call.answer(200, { command: command.describe() });
    }),
    route("output", "GET /cmd/:command/logs", async (call, sandbox) => {
      const command = commandOf(call, sandbox);
      call.response.writeHead(200, { "content-type": "application/x-ndjson" });
      await stream(call, sandbox, command);
      call.response.end();
    }),
    route("signal", "POST /cmd/:command/kill", async (call, sandbox) => {
      const command = commandOf(call, sandbox);
      command.kill((await call.json<{ signal: number }>()).signal);
      call.answer(200, { command: command.describe() });
    }),
    route("write", "POST /fs/write", async (call, { box }) => {
      const directory = String(call.request.headers["x-cwd"] ?? "/");
      const unpack = ["tar", "-xzpf", "-", "-C", directory];
      const { code, stderr } = await box.run(unpack, { input: await call.bytes() });
      if (code === 0) call.answer(200, {});
      else call.answer(400, { error: { code: "bad_request", message: stderr.trim() } });
    }),
    route("read", "POST /fs/read", async (call, { box }) => {
      const { path } = await call.json<{ path: string }>();
      const data = await box.read(path);
      if (data === undefined) throw notFound(`File ${path}`);
      call.response.writeHead(200, { "content-type": "application/octet-stream" }).end(data);
    }),
    route("extend", "POST /extend-timeout", async (call, sandbox) => {
      sandboxes.extend(sandbox, (await call.json<{ duration: number }>()).duration);
      call.answer(200, { session: sandbox.describeSession() });
    }),
    route("suspend", "POST /stop", async (call, sandbox) => {
      const kept = await sandboxes.stop(sandbox.name, "request");
      const snapshot = kept && describe(kept.id, kept.sourceSessionId, kept.createdAt);
      call.answer(200, { session: sandbox.describeSession(), sandbox: sandbox.describe(), snapshot });
    }),
  ];
}

/** Its output as it comes, where somebody waits for its end. */
async function run(call: ServiceCall, sandbox: VercelSandbox): Promise<void> {
  const { wait = false, logs = false, ...wished } = await call.json<RunRequest>();
  const command = await sandbox.session.commands.start(wished);
  if (!wait) return call.answer(200, { command: command.describe() });
  const { response } = call;
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  response.write(line({ command: command.describe() }));
  if (await stream(call, sandbox, command, logs)) response.write(line({ command: command.describe() }));
  response.end();
}

/** False where its session ended first. */
async function stream({ response }: ServiceCall, sandbox: VercelSandbox, command: Command, logs = true) {
  const { session } = sandbox;
  const stop = logs ? command.listen((said: OutputLine) => void response.write(line(said))) : () => {};
  const left = new Promise((resolve) => response.once("close", resolve));
  await Promise.race([command.ended, left]);
  stop();
  if (session.status === "running") return true;
  response.write(line({ stream: "error", data: { code: "sandbox_stopped", message: "The sandbox is stopped." } }));
  return false;
}

function commandOf({ params }: ServiceCall, { session }: VercelSandbox): Command {
  const found = session.commands.find(params.command!);
  if (found === undefined) throw notFound(`Command ${params.command}`);
  return found;
}

const line = (value: unknown) => `${JSON.stringify(value)}\n`;
