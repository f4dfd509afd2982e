import type { PermissionRequestedData, Question, QuestionRequestedData } from "@sandbox-agent-ts/protocol";
import { permissionData as aboutUse } from "../../../permissions/permission-data.ts";
import { questionData } from "../../../questions/question-data.ts";
import type { EventProperties, NativeQuestion } from "../dialect.ts";

/** `parent` is the item that started the subagent which asks. */
export function permissionData(
  id: string,
  ask: EventProperties,
  parent: string | undefined,
  directory: string,
): PermissionRequestedData {
  const { permission = "", patterns = [], metadata = {} } = ask;
  const { command, filepath, url, diff } = metadata as Readonly<Record<string, unknown>>;
  const input = { command, filePath: filepath, url };
  const use = {
    tool: permission,
    input: permission === "bash" ? { command: command ?? patterns[0] } : input,
    ...(typeof diff === "string" ? { diff } : {}),
    callId: ask.tool?.callID,
    metadata: {
      tool: permission,
      patterns,
      ...metadata,
      ...(ask.tool?.callID ? { call_id: ask.tool.callID } : {}),
      ...(parent === undefined ? {} : { parent_id: parent }),
    },
  };
  return { ...aboutUse(id, use, { directory, mcpServers: [] }), action: actionOf(ask) };
}

function actionOf({ permission = "", patterns = [], metadata = {} }: EventProperties): string {
  const what = patterns.join(", ");
  switch (permission) {
    case "bash":
      return `Run ${metadata.command ?? what}`;
    case "edit":
      return `Edit ${metadata.filepath ?? what}`;
    case "external_directory":
      return `Use files outside of the directory: ${what}`;
    case "webfetch":
      return `Fetch ${metadata.url ?? what}`;
    case "task":
      return `Start the subagent ${what}`;
    case "doom_loop":
      return "Go on, although it does the same again and again";
    default:
      return what === "*" || what === "" ? `Use ${permission}` : `Use ${permission}: ${what}`;
  }
}

/** What a person allows with `always` is exactly this, in this session: OpenCode's own `always` is for all sessions. */
export function rememberedKeys({ permission = "", patterns = [] }: EventProperties): string[] {
  return patterns.map((pattern) => JSON.stringify([permission, pattern]));
}

/** `plan` is what the person decides about; OpenCode's own question only says in which file it is. */
export function askedQuestions(id: string, asked: readonly NativeQuestion[], plan?: string): QuestionRequestedData {
  const questions = asked.map(
    ({ question = "", header, options = [], multiple }): Question => ({
      ...(header ? { header } : {}),
      prompt: plan === undefined ? question : `${plan}\n\n${question}`,
      options: options.map(({ label = "", description }) => ({ label, ...(description ? { description } : {}) })),
      multi_select: multiple ?? false,
    }),
  );
  return questionData(id, questions, { plan });
}
