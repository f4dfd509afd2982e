import { basename } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { SkillSource } from "./find-skills.ts";

/** Where a source of skills is fetched from. */
export interface Repository {
  /** Where git fetches from; without a password, which everybody could read among its arguments. */
  readonly url: string;
  /** What was in the URL to sign in with, as settings for git. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Without what could be a secret in it. */
  readonly shown: string;
  /** A branch, a tag or a whole commit id. */
  readonly ref: string;
  /** Of the repository, without its owner. */
  readonly name: string;
}

const scpLike = /^(?:[\w.-]+@)?[\w.-]+:(?!\/)[^\s:]+$/;
const githubName = /^[\w.-]+\/[\w.-]+$/;
/** What git allows in names, without what would make it an option or say more than a name. */
const refPattern = /^(?!-)(?!.*(\.\.|@\{))[^\s~^:?*[\\+\p{Cc}]+$/u;

/** `protocols` are git's own names of them, e.g. `https`; nothing else may be fetched with. */
export function repositoryOf({ type, source, ref }: SkillSource, protocols: readonly string[]): Repository {
  const url = type === "github" && githubName.test(source) ? `https://github.com/${source}.git` : source;
  const protocol = protocolOf(url);
  const shown = withoutSecrets(url);
  if (protocol === undefined || !protocols.includes(protocol)) {
    const forms = type === "github" ? "as owner/name" : `as a URL of ${protocols.join(" or ")}`;
    throw new SandboxError("invalid_request", `Skills cannot be fetched from ${shown}. Name the repository ${forms}.`);
  }
  if (ref && !refPattern.test(ref)) {
    throw new SandboxError("invalid_request", `"${ref}" is no branch, tag or commit of ${shown}. Correct the \`ref\`.`);
  }
  return { ...withoutCredentials(url), shown, ref: ref || "HEAD", name: basename(shown).replace(/\.git$/, "") };
}

function protocolOf(url: string): string | undefined {
  if (scpLike.test(url)) return "ssh";
  return /^([a-z][a-z0-9+.-]*):\/\/[^\s-]\S*$/.exec(url)?.[1];
}

/** Only over HTTP: the other protocols know no passwords. */
function withoutCredentials(url: string): Pick<Repository, "url" | "credentials"> {
  const [, scheme, signIn, rest] = /^(https?:\/\/)([^/@]*)@(.*)$/s.exec(url) ?? [];
  if (scheme === undefined || signIn === undefined || rest === undefined) return { url, credentials: {} };
  const [user = "", ...password] = signIn.split(":").map(decoded);
  const header = `Authorization: Basic ${Buffer.from(`${user}:${password.join(":")}`).toString("base64")}`;
  const place = `${scheme}${rest.split("/", 1)[0]}/`;
  return { url: scheme + rest, credentials: { [`http.${place}.extraHeader`]: header } };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function withoutSecrets(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/@]*@/, "$1").replace(/[?#].*$/s, "");
}
