import type { ProviderCheck } from "@sandbox-agent-ts/runtime";
import type { Environment } from "../data-dir.ts";
import { agentEnvironment } from "./agent-environment.ts";

/** Whose sandboxes are on this machine's own network. */
const localProvider = "local";

/** Variables by which agents would look for their models inside of their own sandbox, where none is. */
export function checkModelAddresses(provider: string, env: Environment): readonly ProviderCheck[] {
  if (provider === localProvider) return [];
  const names = Object.entries(agentEnvironment(env)).flatMap(([name, value]) => (isLoopback(value) ? [name] : []));
  if (names.length === 0) return [];
  const what = "loopback addresses, which in a sandbox are those of the sandbox itself";
  const advice = "Name addresses of this machine that sandboxes reach, e.g. the gateway of Docker's bridge";
  return [{ name: "models", ok: false, detail: `These variables have ${what}: ${names.join(", ")}. ${advice}.` }];
}

function isLoopback(value: string): boolean {
  const { hostname = "" } = URL.canParse(value) ? new URL(value) : {};
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
