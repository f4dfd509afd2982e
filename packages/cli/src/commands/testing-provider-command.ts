import { stat } from "node:fs/promises";
import { posix, resolve } from "node:path";
import type { ServiceOptions, ServiceRequest } from "@sandbox-agent-ts/testing/providers";
import { type Command, InvalidArgumentError } from "commander";
import { exitCode } from "../exit-code.ts";
import { onInterrupt } from "../interrupts.ts";
import { Output } from "../output/output.ts";
import { UsageError } from "../usage-error.ts";
import { blamed } from "./blamed.ts";
import { examplesHelp } from "./examples-help.ts";
import type { Finish } from "./finish.ts";
import { portNumber } from "./port-number.ts";
import { serviceBanner, serviceFacts, serviceRequestLine } from "./testing-provider-text.ts";

interface Flags {
  readonly port: number;
  readonly reachable: readonly number[];
  readonly mount: readonly (readonly [string, string])[];
  readonly withoutNode?: true;
  readonly json?: true;
}

export function addTestingProviderCommand(testing: Command, finish: Finish): void {
  const command = testing
    .command("provider")
    .description("Run a hosting service's API on loopback, whose machines are jails on this one; Linux with bubblewrap")
    .argument("[name]", "which one; without a name they are listed")
    .option("-p, --port <port>", "port to listen on, 0 takes a free one", portNumber, 0)
    .option(
      "--reachable <port>",
      "a port of this machine that its machines reach, e.g. a scripted model's",
      addPort,
      [],
    )
    .option("--mount <place=directory>", "a directory that its machines have, read-only", addMount, [])
    .option("--without-node", "its machines have no Node of their own")
    .addHelpText(
      "after",
      examplesHelp(["testing provider", "testing provider e2b --reachable 4010", "testing provider modal --json"]),
    );
  command.action(async (name: string | undefined) => {
    const flags = command.optsWithGlobals<Flags>();
    const out = new Output(process.stdout, { json: flags.json });
    await (name === undefined ? listServices(out) : serve(name, flags, out));
    finish(exitCode.ok);
  });
}

async function listServices(out: Output): Promise<void> {
  const { loadProviderService, providerServices } = await import("@sandbox-agent-ts/testing/providers");
  const services = await Promise.all(providerServices.map(loadProviderService));
  const shown = services.map(({ name, summary }) => ({ name, summary }));
  const rows = shown.map(({ name, summary }) => [name, summary]);
  await out.list(shown, ["NAME", "WHAT IT IS"], rows, "There are none.");
}

/** Runs until it is interrupted. */
async function serve(name: string, flags: Flags, out: Output): Promise<void> {
  const { loadProviderService } = await import("@sandbox-agent-ts/testing/providers");
  const { summary, start } = await blamed("", () => loadProviderService(name));
  const isForPrograms = out.audience === "json";
  const onRequest = (request: ServiceRequest) => void (isForPrograms || out.line(serviceRequestLine(request)));
  const ended = untilEnded();
  const service = await start({ ...(await optionsOf(flags)), onRequest }).catch((error: unknown) => {
    throw blameForPort(error, flags.port);
  });
  try {
    await (isForPrograms ? out.jsonLine(serviceFacts(service)) : out.line(serviceBanner(service, summary)));
    await ended;
  } finally {
    await service.close();
  }
}

async function optionsOf({ port, reachable, mount, withoutNode }: Flags): Promise<ServiceOptions> {
  for (const [, directory] of mount) {
    const stats = await stat(directory).catch(() => undefined);
    if (!stats?.isDirectory()) throw new UsageError(`--mount: there is no directory ${directory}.`);
  }
  return { port, reachable, mounts: Object.fromEntries(mount), withoutNode };
}

/** A second Ctrl-C does not wait. */
function untilEnded(): Promise<void> {
  return new Promise((end) => {
    const release = onInterrupt(() => {
      release();
      end();
    });
    process.once("SIGTERM", () => end());
  });
}

function blameForPort(error: unknown, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== "EADDRINUSE" && code !== "EACCES") return error;
  return new UsageError(`Cannot listen on 127.0.0.1:${port} (${code}). Name another port, or 0 for a free one.`);
}

function addPort(text: string, ports: readonly number[]): number[] {
  return [...ports, portNumber(text)];
}

function addMount(text: string, mounts: readonly (readonly [string, string])[]): (readonly [string, string])[] {
  const [place = "", ...directory] = text.split("=");
  const isWhole = posix.isAbsolute(place) && directory.length > 0;
  if (!isWhole) throw new InvalidArgumentError("Write it as /place/inside=directory.");
  return [...mounts, [place, resolve(directory.join("="))]];
}
