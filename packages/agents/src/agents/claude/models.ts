import { setTimeout as sleep } from "node:timers/promises";
import { type AgentModelsResponse, SandboxError } from "@sandbox-agent-ts/protocol";
import type { AgentHost } from "../../agent.ts";
import type { AgentProcess } from "../../process/agent-process.ts";
import { initializeRequest } from "./control-request.ts";
import type { ControlResponseLine, NativeModel } from "./dialect.ts";
import { launchEnv, streamArgs } from "./launch.ts";

const ANSWER_LIMIT_MS = 30_000;

/** Asks the program itself, which answers from its own list without a model service. */
export async function askForModels(host: AgentHost, binary: string): Promise<AgentModelsResponse> {
  const limit = new AbortController();
  let process: AgentProcess | undefined;
  const answered = new Promise<readonly NativeModel[]>((resolve) => {
    process = host.spawn({
      command: binary,
      args: streamArgs,
      cwd: host.dataDir,
      env: launchEnv(host.env, { env: {}, permissionMode: "default" }),
      label: "claude asked for its models",
      onLines: (lines) => {
        const models = lines.flatMap(modelsIn);
        if (models.length > 0) resolve(models);
      },
    });
  });
  const asked = process as unknown as AgentProcess;
  try {
    await asked.writeLine(JSON.stringify(initializeRequest()));
    const late = sleep(ANSWER_LIMIT_MS, undefined, { signal: limit.signal }).catch(() => undefined);
    const models = await Promise.race([answered, asked.exited.then(() => undefined), late]);
    if (models) return toResponse(models);
    throw new SandboxError("timeout", "Claude Code did not name its models. Try again.", { agent: "claude" });
  } finally {
    limit.abort();
    await asked.stop();
  }
}

function modelsIn(line: string): NativeModel[] {
  const { type, response } = JSON.parse(line) as Partial<ControlResponseLine>;
  if (type !== "control_response") return [];
  return (response?.response as { models?: NativeModel[] } | undefined)?.models ?? [];
}

function toResponse(models: readonly NativeModel[]): AgentModelsResponse {
  const [first] = models;
  return {
    models: models.map(({ value, displayName, supportedEffortLevels }) => ({
      id: value,
      ...(displayName === undefined ? {} : { name: displayName }),
      ...(supportedEffortLevels?.length ? { variants: supportedEffortLevels } : {}),
    })),
    ...(first === undefined
      ? {}
      : { defaultModel: models.find(({ value }) => value === "default")?.value ?? first.value }),
  };
}
