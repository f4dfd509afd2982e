import { describeExit } from "../describe-exit.ts";
import type { SandboxLife } from "../sandbox-provider.ts";

/** What the engine says of a container. */
export interface ContainerInfo {
  readonly Id: string;
  readonly State: {
    readonly Status: "created" | "running" | "paused" | "restarting" | "removing" | "exited" | "dead";
    readonly OOMKilled: boolean;
    readonly ExitCode: number;
    readonly Error: string;
  };
  readonly HostConfig: {
    readonly Memory: number;
    readonly PortBindings: Readonly<Record<string, unknown>> | null;
  };
  readonly NetworkSettings: {
    readonly Ports: Readonly<Record<string, readonly { readonly HostPort: string }[] | null>> | null;
  };
}

const removed = "Its container was removed.";

/** The life of a sandbox whose volume is there. Without its container it is started again, with everything in it. */
export function lifeOf(container: ContainerInfo | undefined): SandboxLife {
  if (container === undefined) return { state: "failed", why: removed };
  const { Status, Error: problem } = container.State;
  switch (Status) {
    case "created":
      return problem === "" ? { state: "starting" } : { state: "failed", why: `It could not be started: ${problem}` };
    case "running":
    case "restarting":
      return { state: "running" };
    case "paused":
      return { state: "suspended", why: "It is paused." };
    case "removing":
      return { state: "failed", why: removed };
    default:
      return { state: "failed", why: whyExited(container) };
  }
}

function whyExited({ State, HostConfig }: ContainerInfo): string {
  const ended = describeExit(State.ExitCode);
  return State.OOMKilled ? `${ended} Its memory, ${HostConfig.Memory / 1024 / 1024} MiB, was used up.` : ended;
}
