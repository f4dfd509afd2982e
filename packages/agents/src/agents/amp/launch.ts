import type { SessionConfig } from "../../agent.ts";
import type { ProgramFlags } from "./program-flags.ts";

export interface LaunchOptions {
  readonly session: SessionConfig;
  /** The conversation to go on with. */
  readonly threadId?: string;
  readonly settingsFile: string;
  readonly mcpFile?: string;
}

/** A way to start the program, from the richest to the simplest; each is tried when the one before is not understood. */
export interface LaunchStyle {
  /** The message goes to stdin, with its images, and not into the arguments. */
  readonly readsInput: boolean;
  readonly flags: readonly string[];
}

const input = "--stream-json-input";
const thinking = "--stream-json-thinking";
const keep = "--no-archive-after-execute";

/** Only flags of which `--help` tells. What keeps the agent within its permissions is never left out. */
export function launchStyles({ names }: ProgramFlags): LaunchStyle[] {
  const has = (flag: string): boolean => names.has(flag);
  const full = [has(thinking) ? thinking : "--stream-json", has(keep) ? [keep] : []].flat();
  return [
    ...(has(input) ? [{ readsInput: true, flags: [...full, input] }] : []),
    { readsInput: false, flags: full },
    { readsInput: false, flags: has(keep) ? ["--stream-json", keep] : ["--stream-json"] },
    { readsInput: false, flags: ["--stream-json"] },
  ].filter(({ flags }, index, all) => all.findIndex((other) => `${other.flags}` === `${flags}`) === index);
}

/** Without a message the program reads it from stdin. */
export function launchArgs(
  { session, threadId, settingsFile, mcpFile }: LaunchOptions,
  { flags, readsInput }: LaunchStyle,
  message: string,
): string[] {
  return [
    ...(threadId === undefined ? [] : ["threads", "continue", threadId]),
    ...flags,
    "--settings-file",
    settingsFile,
    ...(mcpFile === undefined ? [] : ["--mcp-config", mcpFile]),
    ...(nativeMode(session) === undefined ? [] : ["--mode", nativeMode(session) as string]),
    ...(readsInput ? ["--execute"] : [`--execute=${message}`]),
  ];
}

export function launchEnv(
  env: Readonly<Record<string, string>>,
  { env: own }: Pick<SessionConfig, "env">,
): Record<string, string> {
  return { AMP_SKIP_UPDATE_CHECK: "1", ...env, ...own };
}

/** `build` and `plan` are ours: the first is whatever Amp does by itself, the second is kept by permissions. */
function nativeMode({ agentMode }: SessionConfig): string | undefined {
  return agentMode === "build" || agentMode === "plan" ? undefined : agentMode;
}
