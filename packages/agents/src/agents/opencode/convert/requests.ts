import type { PermissionRequestedData, Question, QuestionRequestedData, ToolInput } from "@sandbox-agent-ts/protocol";
import { type AskedUse, permissionData as aboutUse, type CallSetting } from "../../../permissions/permission-data.ts";
import { planQuestion } from "../../../questions/plan-question.ts";
import { type QuestionAbout, questionData } from "../../../questions/question-data.ts";
import type { EventProperties, NativeQuestion, Part, PatchedFile } from "../dialect.ts";
import { unifiedDiff } from "./tool-view.ts";

/** The tool call that waits for the answer. */
export interface WaitingCall {
  readonly native: Part;
  readonly itemId: string;
}

interface AskedPermission {
  readonly ask: EventProperties;
  readonly call: WaitingCall | undefined;
  /** The item that started the subagent which asks. */
  readonly parent: string | undefined;
}

export function permissionData(
  id: string,
  { ask, call, parent }: AskedPermission,
  setting: CallSetting,
): PermissionRequestedData {
  const { permission = "", patterns = [], metadata = {}, tool } = ask;
  const use: AskedUse = {
    tool: permission === "doom_loop" ? permission : (call?.native.tool ?? permission),
    input: inputOfAsk(ask, call?.native.state?.input),
    title: actionOf(ask),
    paths: permission === "external_directory" ? outsidePaths(ask) : [],
    ...(typeof metadata.diff === "string" ? { diff: unifiedDiff(metadata.diff) } : {}),
    callId: tool?.callID,
    itemId: call?.itemId,
    metadata: {
      tool: permission,
      patterns,
      ...metadata,
      ...(tool?.callID ? { call_id: tool.callID } : {}),
      ...(parent === undefined ? {} : { parent_id: parent }),
    },
  };
  const data = aboutUse(id, use, setting);
  return ownSentences.has(permission) ? { ...data, action: actionOf(ask) } : data;
}

/** OpenCode often asks before it tells the input of the call; the request then has the most important of it. */
export function inputOfAsk(
  { permission, patterns = [], metadata = {} }: EventProperties,
  known: ToolInput = {},
): ToolInput {
  const { command = patterns.join("; "), filepath, files, diff: _, ...rest } = metadata;
  if (permission === "doom_loop") return {};
  if (permission === "external_directory") return known;
  if (permission === "bash") return { command, ...known };
  if (permission === "read" || permission === "list") return { filePath: patterns[0], ...known };
  if (Array.isArray(files)) return { changes: files.map(changeOf), ...known };
  return { ...rest, ...known, ...(typeof filepath === "string" ? { filePath: filepath } : {}) };
}

function changeOf({ filePath, type, movePath }: PatchedFile): object {
  return { path: filePath, type, move_path: movePath };
}

/** The file, where OpenCode tells it; else the directories, without the `*` of the pattern. */
function outsidePaths({ patterns = [], metadata = {} }: EventProperties): string[] {
  const { filepath } = metadata;
  return typeof filepath === "string" ? [filepath] : patterns.map((pattern) => pattern.replace(/[\\/]\*+$/, ""));
}

/** What is asked here is not what the tool does, but where or how often. */
const ownSentences = new Set(["external_directory", "doom_loop", "task"]);

function actionOf({ permission = "", patterns = [] }: EventProperties): string {
  const what = patterns.join(", ");
  switch (permission) {
    case "external_directory":
      return `Use files outside of the directory: ${what}`;
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

export function askedQuestions(
  id: string,
  asked: readonly NativeQuestion[],
  call: WaitingCall | undefined,
): QuestionRequestedData {
  const questions = asked.map(
    ({ question = "", header, options = [], multiple }): Question => ({
      ...(header ? { header } : {}),
      prompt: question,
      options: options.map(({ label = "", description }) => ({ label, ...(description ? { description } : {}) })),
      multi_select: multiple ?? false,
    }),
  );
  return questionData(id, questions, linkOf(call));
}

/** `plan` is what the person decides about; OpenCode's own question only says in which file it is. */
export function askedPlan(
  id: string,
  [asked]: readonly NativeQuestion[],
  call: WaitingCall,
  plan = "",
): QuestionRequestedData {
  return questionData(id, [planQuestion(plan, asked?.question)], { plan, ...linkOf(call) });
}

function linkOf(call: WaitingCall | undefined): Pick<QuestionAbout, "callId" | "itemId"> {
  return { callId: call?.native.callID, itemId: call?.itemId };
}
