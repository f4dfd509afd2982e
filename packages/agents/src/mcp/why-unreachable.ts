import { connect } from "node:net";

const LIMIT_MS = 5_000;

type Env = Readonly<Record<string, string>>;

/**
 * Why there is nobody at the address of a remote server, as a sentence; `undefined` where somebody is, whatever is said then,
 * or where a proxy may know more than we do. Says nothing to the server. Does not throw.
 */
export function whyUnreachable(address: string, env: Env, limitMs = LIMIT_MS): Promise<string | undefined> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url) return Promise.resolve("Its address is no URL. Correct it.");
  if (hasProxy(env)) return Promise.resolve(undefined);
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname.replace(/^\[(.*)\]$/, "$1"), port, timeout: limitMs });
    const settle = (sentence?: string) => {
      socket.destroy();
      resolve(sentence);
    };
    socket.unref();
    socket.once("connect", () => settle());
    socket.once("timeout", () => settle(`${url.host} did not answer within ${limitMs / 1000} seconds.`));
    socket.once("error", ({ message }) => settle(`${url.host} cannot be reached (${message}).`));
  });
}

function hasProxy(env: Env): boolean {
  return Object.entries(env).some(([name, value]) => /^(https?|all)_proxy$/i.test(name) && value !== "");
}
