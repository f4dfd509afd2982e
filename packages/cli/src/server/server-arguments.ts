import type { ServerSettings } from "./server-settings.ts";

/** Settings as flags of `server` again, all but the token: other users can read a process's arguments. */
export function serverArguments(settings: ServerSettings): string[] {
  const { cors } = settings;
  const each = (flag: string, values: readonly string[]): string[] => values.map((value) => `--${flag}=${value}`);
  return [
    `--host=${settings.host}`,
    `--port=${settings.port}`,
    ...(settings.token === null ? ["--no-token"] : []),
    ...each("cors-allow-origin", cors.origins),
    ...each("cors-allow-method", cors.methods),
    ...each("cors-allow-header", cors.headers),
    ...(cors.credentials ? ["--cors-allow-credentials"] : []),
    `--data-dir=${settings.dataDir}`,
    ...each("fs-root", settings.fsRoots),
    ...each("acp-agent", settings.acpAgents),
    ...each("acp-agents-file", settings.acpAgentsFile === undefined ? [] : [settings.acpAgentsFile]),
    ...(settings.autoInstall ? [] : ["--no-auto-install"]),
    ...(settings.ui ? [] : ["--no-ui"]),
    `--log-level=${settings.logLevel}`,
    ...(settings.logFormat === undefined ? [] : [`--log-format=${settings.logFormat}`]),
  ];
}
