import { installFailure } from "./install-failure.ts";

type Settings = Readonly<Record<string, unknown>>;

/** The proxy for a request to this URL; undefined where it goes there directly. */
export type ProxyOf = (url: string) => URL | undefined;

/**
 * As npm is configured, else as the environment says: `https-proxy` and `proxy`, HTTPS_PROXY and HTTP_PROXY in either
 * spelling, but not for what `noproxy` or NO_PROXY names, and never for this machine itself.
 */
export function findProxies(npm: Settings, env: Settings): ProxyOf {
  const variable = (name: string) => text(env[name]) ?? text(env[name.toUpperCase()]);
  const plain = text(npm.proxy) ?? variable("http_proxy");
  const secure = text(npm["https-proxy"]) ?? variable("https_proxy") ?? plain;
  const excepted = [npm.noproxy, variable("no_proxy")].flat().flatMap((names) => text(names)?.split(/[\s,]+/) ?? []);
  return (url) => {
    const target = new URL(url);
    const named = target.protocol === "https:" ? secure : plain;
    return named === undefined || isDirect(target, excepted) ? undefined : parse(named);
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && value !== "null" && value !== "false" ? value : undefined;
}

const thisMachine = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/** `example.com` and `.example.com` are a host with all below it, `example.com:8080` only on that port, `*` everything. */
function isDirect({ hostname, port, protocol }: URL, excepted: readonly string[]): boolean {
  if (thisMachine.test(hostname)) return true;
  const realPort = port || (protocol === "https:" ? "443" : "80");
  return excepted.filter(Boolean).some((name) => {
    if (name === "*") return true;
    const [, host = "", only] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(name.toLowerCase()) ?? [];
    return (only === undefined || only === realPort) && (hostname === host || hostname.endsWith(`.${host}`));
  });
}

function parse(named: string): URL {
  const written = /^\w+:\/\//.test(named) ? named : `http://${named}`;
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  const sentence =
    "The proxy that is configured is not an http(s) URL. Correct npm's `proxy`, or HTTP_PROXY and HTTPS_PROXY.";
  throw installFailure(sentence, { step: "registry", url: written });
}
