import { portFetch } from "../node-fetch.ts";
import type { SandboxEndpoint } from "../sandbox-provider.ts";
import type { E2bSandbox } from "./e2b-client.ts";

type Access = Pick<E2bSandbox, "getHost" | "trafficAccessToken">;

/** Any port of a sandbox, as E2B's proxy offers it: by a name of its own. */
export function portEndpoint(access: Access, port: number): SandboxEndpoint {
  const host = access.getHost(port);
  const { trafficAccessToken: token } = access;
  const headers: Record<string, string> = token === undefined ? {} : { "e2b-traffic-access-token": token };
  // Names below localhost are this machine, also where its resolver does not know them.
  const [, localPort] = /\.localhost(?::(\d+))?$/.exec(host) ?? [];
  if (localPort === undefined) return { url: `https://${host}`, headers };
  return { url: `http://${host}`, headers, fetch: portFetch(Number(localPort)) };
}
