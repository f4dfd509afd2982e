import { SandboxProviderError } from "./sandbox-provider.ts";

/** One word of a shell's command, whatever is in it. */
export const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A line of a script for each variable. */
export function exports(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).map(([name, value]) => `export ${checked(name)}=${quoted(value)}`);
}

function checked(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return name;
  throw new SandboxProviderError("failed", `${JSON.stringify(name)} cannot be the name of an environment variable.`);
}
