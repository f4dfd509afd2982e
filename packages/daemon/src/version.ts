import { readFileSync } from "node:fs";

declare const SANDBOX_AGENT_VERSION: string | undefined;

/** Put in by the bundler; read from the package when running unbundled. */
export const version: string =
  typeof SANDBOX_AGENT_VERSION === "string"
    ? SANDBOX_AGENT_VERSION
    : (JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }).version;
