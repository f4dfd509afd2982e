import { resolve } from "node:path";
import { rootCertificates } from "node:tls";
import { readRegularTextSync } from "../files/read-regular-file.ts";
import { installFailure } from "./install-failure.ts";
import { findProxies, type ProxyOf } from "./proxies.ts";

/** How requests leave this machine. */
export interface Network {
  readonly proxyOf: ProxyOf;
  /** The authorities whose certificates count, where they are not simply those that Node knows. */
  readonly authorities?: readonly string[];
}

type Settings = Readonly<Record<string, unknown>>;

/** As npm is configured, else as the environment says. */
export function findNetwork(npm: Settings, env: Settings): Network {
  const proxyOf = findProxies(npm, env);
  const own = [...inSettings(npm.ca), ...inFile(npm.cafile)];
  // Naming any replaces those that Node knows.
  return own.length === 0
    ? { proxyOf }
    : { proxyOf, authorities: [...rootCertificates, ...inEnvironment(env.NODE_EXTRA_CA_CERTS), ...own] };
}

/** In an .npmrc a certificate is one line with `\\n` in it. */
function inSettings(ca: unknown): string[] {
  const texts = [ca].flat().filter((text): text is string => typeof text === "string" && text.includes("CERTIFICATE"));
  return texts.map((text) => text.replaceAll("\\n", "\n"));
}

/** Node goes on without a file that it cannot read. */
function inEnvironment(path: unknown): string[] {
  try {
    return inFile(path);
  } catch {
    return [];
  }
}

function inFile(path: unknown): string[] {
  if (typeof path !== "string" || path === "" || path === "null") return [];
  try {
    return [readRegularTextSync(resolve(path))];
  } catch (error) {
    // As npm has it.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    const sentence = `The certificates of npm's \`cafile\` cannot be read from ${path}. Correct it, or make the file readable.`;
    throw installFailure(sentence, { step: "registry", url: path }, error);
  }
}
