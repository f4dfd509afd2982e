import { connect, isIP } from "node:net";
import { connect as connectSecurely } from "node:tls";
import { findRegistries } from "@sandbox-agent-ts/agents/install";
import type { Environment } from "../data-dir.ts";
import type { Check } from "./check.ts";

const REACH_LIMIT_MS = 5_000;

/** Whether programs could be installed. Nothing is downloaded. */
export async function registryCheck(env: Environment): Promise<Check> {
  const name = "package registry";
  try {
    const { url, network } = (await findRegistries(env))("any");
    if (network.proxyOf(url) !== undefined) return { name, state: "unchecked", found: "is reached through a proxy" };
    const reason = await whyUnreachable(url, network.authorities);
    if (reason === undefined) return { name, state: "ok", found: "can be reached" };
    const advice =
      "Only installing agents needs it. Set SANDBOX_AGENT_NPM_REGISTRY, the proxy that npm is to use, or for certificates of your own NODE_EXTRA_CA_CERTS.";
    return { name, state: "warning", found: `${new URL(url).host} cannot be reached: ${reason}`, advice };
  } catch (error) {
    return { name, state: "warning", found: error instanceof Error ? error.message : String(error) };
  }
}

/** Why no connection to the place of a URL can be made, or none that can be trusted; undefined when one can. */
export function whyUnreachable(url: string, authorities?: readonly string[]): Promise<string | undefined> {
  const { hostname, port, protocol } = new URL(url);
  const isSecure = protocol === "https:";
  const host = hostname.replace(/^\[|\]$/g, "");
  const target = { host, port: Number(port) || (isSecure ? 443 : 80), timeout: REACH_LIMIT_MS };
  const trust = { ...(isIP(host) ? {} : { servername: host }), ...(authorities ? { ca: [...authorities] } : {}) };
  return new Promise((resolve) => {
    const socket = isSecure ? connectSecurely({ ...target, ...trust }) : connect(target);
    const settle = (reason: string | undefined): void => {
      socket.destroy();
      resolve(reason);
    };
    socket.once(isSecure ? "secureConnect" : "connect", () => settle(undefined));
    socket.once("timeout", () => settle(`no answer in ${REACH_LIMIT_MS / 1000} s`));
    socket.once("error", (error: NodeJS.ErrnoException) => settle(error.code ?? error.message));
  });
}
