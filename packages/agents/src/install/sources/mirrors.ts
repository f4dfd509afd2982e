import { installFailure } from "../install-failure.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What to ask in place of a vendor's URL. */
export interface MirroredUrl {
  readonly url: string;
  /** From the user part of the mirror's URL. */
  readonly authorization?: string;
}

/**
 * `SANDBOX_AGENT_MIRRORS`: a list of `host=URL`, where everything of that host is below the URL, and of `*=URL`, where every
 * host has a folder of its name below it. A host that is named stands above `*`; one that is not is asked itself.
 */
export function findMirrors(env: Environment): (url: string) => MirroredUrl {
  const entries = (env.SANDBOX_AGENT_MIRRORS ?? "").split(/[\s,]+/).filter(Boolean);
  const mirrors = new Map(entries.map(parseMirror));
  return (url) => {
    const { host, pathname, search } = new URL(url);
    const [own, general] = [mirrors.get(host), mirrors.get("*")];
    if (own) return below(own, pathname + search);
    return general ? below(general, `/${host}${pathname}${search}`) : { url };
  };
}

function parseMirror(entry: string): [string, URL] {
  const [, host = "", named = ""] = /^([^=]+)=(.*)$/.exec(entry) ?? [];
  const url = URL.canParse(named) ? new URL(named) : undefined;
  if (host !== "" && (url?.protocol === "https:" || url?.protocol === "http:")) return [host, url];
  const sentence =
    "SANDBOX_AGENT_MIRRORS has an entry that is not host=URL. " +
    "Write e.g. github.com=https://mirror.example/github, or *=https://mirror.example for all hosts.";
  throw installFailure(sentence, { step: "registry" });
}

function below(mirror: URL, path: string): MirroredUrl {
  const url = new URL(mirror);
  const { username, password } = url;
  url.username = "";
  url.password = "";
  const base = url.href.replace(/\/+$/, "");
  if (username === "") return { url: base + path };
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url: base + path, authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}
