import type { ServiceCall, ServiceRoute } from "../http-service.ts";
import { frame, lastFrame, unframed } from "./connect-frames.ts";
import type { E2bSandbox } from "./e2b-sandbox.ts";
import { envdFiles } from "./envd-files.ts";
import type { EnvdProcess, ProcessConfig } from "./envd-processes.ts";
import { targetOf } from "./port-proxy.ts";
import type { Sandboxes } from "./sandboxes.ts";

/** Where envd listens in every sandbox. */
export const envdPort = 49983;

interface Selected {
  readonly process?: { readonly pid?: number };
}

/** The program in each sandbox that runs commands and keeps files: HTTP and JSON, and streams of the Connect protocol. */
export function envd(sandboxes: Sandboxes): readonly ServiceRoute[] {
  const sandboxOf = ({ request }: ServiceCall) => sandboxes.find(targetOf(request)!.id);
  const rpc = (name: string, path: string, work: (call: ServiceCall, sandbox: E2bSandbox) => Promise<void>) => ({
    method: "POST",
    path,
    name,
    handle: (call: ServiceCall) => work(call, sandboxOf(call)),
  });
  return [
    { method: "GET", path: "/health", name: "health", handle: (call) => call.answer(204) },
    ...envdFiles(sandboxOf),
    rpc("run", "/process.Process/Start", start),
    rpc("follow", "/process.Process/Connect", connect),
    rpc("processes", "/process.Process/List", async (call, { processes }) => {
      const shown = processes.all.map(({ config, process: { pid } }) => ({ config, pid }));
      call.answer(200, { processes: shown });
    }),
    rpc("signal", "/process.Process/SendSignal", (call, sandbox) =>
      withProcess(call, sandbox, ({ process }, { signal }: Selected & { signal?: string }) =>
        process.kill(signal === "SIGNAL_SIGTERM" ? "SIGTERM" : "SIGKILL"),
      ),
    ),
    rpc("input", "/process.Process/SendInput", (call, sandbox) =>
      withProcess(call, sandbox, ({ process }, { input }: Selected & { input?: { stdin?: string } }) =>
        process.writeStdin(Buffer.from(input?.stdin ?? "", "base64")),
      ),
    ),
    rpc("end-input", "/process.Process/CloseStdin", (call, sandbox) =>
      withProcess(call, sandbox, ({ process }) => process.closeStdin()),
    ),
  ];
}

async function start(call: ServiceCall, sandbox: E2bSandbox): Promise<void> {
  const request = unframed<{ process: ProcessConfig; stdin?: boolean }>(await call.bytes());
  const timeoutMs = Number(call.request.headers["connect-timeout-ms"] ?? 0);
  const options = { timeoutMs, hasStdin: request.stdin === true };
  await stream(call, sandbox, await sandbox.processes.start(request.process, options));
}

async function connect(call: ServiceCall, sandbox: E2bSandbox): Promise<void> {
  const { process } = unframed<Selected>(await call.bytes());
  const found = sandbox.processes.find(process?.pid);
  if (found) await stream(call, sandbox, found);
  else call.response.writeHead(200, streamHeaders).end(lastFrame(notFound(process?.pid)));
}

/** Its pid, what it says from now on, and its end. Who lets go of the stream does not end it. */
async function stream({ response }: ServiceCall, sandbox: E2bSandbox, found: EnvdProcess): Promise<void> {
  response.writeHead(200, streamHeaders);
  if (response.socket) sandbox.track(response.socket);
  response.write(frame({ event: { start: { pid: found.process.pid } } }));
  const stop = found.listen((event) => response.write(frame({ event })));
  const left = new Promise((resolve) => response.once("close", resolve));
  await Promise.race([found.ended, left]);
  stop();
  response.end(lastFrame());
}

async function withProcess<T extends Selected>(
  call: ServiceCall,
  sandbox: E2bSandbox,
  act: (process: EnvdProcess, request: T) => void,
): Promise<void> {
  const request = await call.json<T>();
  const found = sandbox.processes.find(request.process?.pid);
  if (found === undefined) return call.answer(404, notFound(request.process?.pid));
  act(found, request);
  call.answer(200, {});
}

const streamHeaders = { "content-type": "application/connect+json" };
const notFound = (pid = 0) => ({ code: "not_found", message: `process with pid ${pid} not found` });
