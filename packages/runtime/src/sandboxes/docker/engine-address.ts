import { SandboxProviderError } from "../sandbox-provider.ts";

/** Where an engine listens, as Node's `http` takes it. */
export type EngineAddress = { readonly socketPath: string } | { readonly host: string; readonly port: number };

export const defaultEngine = "unix:///var/run/docker.sock";

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** What `DOCKER_HOST` names. Only engines on this machine: sandboxes are reached on its loopback. */
export function engineAddress(text: string): EngineAddress {
  if (text.startsWith("unix://")) return { socketPath: text.slice("unix://".length) };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if ((url?.protocol === "tcp:" || url?.protocol === "http:") && loopback.has(url.hostname)) {
    return { host: url.hostname.replace(/[[\]]/g, ""), port: Number(url.port || 2375) };
  }
  const detail = "Name an engine on this machine: unix:///path/to/docker.sock, or tcp://127.0.0.1:port";
  throw new SandboxProviderError("failed", `${JSON.stringify(text)} cannot be used as a Docker engine. ${detail}.`);
}
