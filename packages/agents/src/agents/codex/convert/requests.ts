import type { PermissionReply, Question } from "@sandbox-agent-ts/protocol";
import type { AskedUse } from "../../../permissions/permission-data.ts";
import type { CodexAsk, CodexFormField, CodexItem } from "../dialect.ts";
import type { AnswerForm, ConversionSetting } from "./codex-state.ts";
import { changesInput, unifiedDiff } from "./file-change.ts";
import { plainCommand } from "./plain-command.ts";

/** What the server asks, in our words. */
type Ask =
  | { type: "permission"; use: AskedUse; answer: AnswerForm }
  | { type: "question"; questions: [Question, ...Question[]]; answer: AnswerForm };

/** `item` is the one that waits for the answer, where there is one: an approval of a file change says nothing itself. */
export function readAsk(method: string, ask: CodexAsk, item: CodexItem | undefined, setting: ConversionSetting) {
  return asks[method]?.(ask, item, setting);
}

type AskReader = (ask: CodexAsk, item: CodexItem | undefined, setting: ConversionSetting) => Ask | undefined;

const asks: Readonly<Record<string, AskReader>> = {
  "item/commandExecution/requestApproval": (ask, item) => {
    const command = plainCommand(ask.command ?? item?.command ?? "");
    const tool = "exec_command";
    const metadata = { tool, command, cwd: ask.cwd ?? item?.cwd ?? null, reason: ask.reason ?? null };
    const input = { command, ...(metadata.cwd === null ? {} : { cwd: metadata.cwd }) };
    return { type: "permission", use: { tool, input, metadata }, answer: { kind: "approval" } };
  },
  "item/fileChange/requestApproval": ({ reason }, item, { calls }) => {
    const changes = item?.changes ?? [];
    const diff = changes.map((change) => unifiedDiff(change, calls.directory)).join("");
    const files = changes.map(({ path }) => path ?? "");
    const tool = "apply_patch";
    const metadata = { tool, files, diff, reason: reason ?? null };
    const use = { tool, input: changesInput(changes), title: "Change files", diff, metadata };
    return { type: "permission", use, answer: { kind: "approval" } };
  },
  "item/permissions/requestApproval": ({ permissions, reason, cwd }) => {
    const tool = "request_permissions";
    const metadata = { tool, permissions, cwd: cwd ?? null, reason: reason ?? null };
    const title = `Get more permissions${reason ? `: ${reason}` : ""}`;
    const use = { tool, input: { permissions }, title, metadata };
    return { type: "permission", use, answer: { kind: "permissions", permissions } };
  },
  "item/tool/requestUserInput": ({ questions = [] }) => {
    const [first, ...rest] = questions.map(
      ({ header, question = "", options }): Question => ({
        ...(header ? { header } : {}),
        prompt: question,
        options: (options ?? []).map(({ label = "", description }) => ({ label, ...(description && { description }) })),
        multi_select: false,
      }),
    );
    const ids = questions.map(({ id = "" }) => id);
    return first && { type: "question", questions: [first, ...rest], answer: { kind: "questions", ids } };
  },
  "mcpServer/elicitation/request": (ask, item) =>
    ask._meta?.codex_approval_kind ? mcpToolAsk(ask, item) : formAsk(ask),
};

function mcpToolAsk({ serverName, message = "", _meta }: CodexAsk, item: CodexItem | undefined): Ask {
  const tool = `mcp__${serverName}${item?.tool ? `__${item.tool}` : ""}`;
  const input = _meta?.tool_params ?? null;
  return {
    type: "permission",
    use: { tool, input, title: message, metadata: { tool, input } },
    answer: { kind: "mcpTool" },
  };
}

/** Only what can be asked as a question; nobody here can open a page for the server. */
function formAsk({ mode, message = "", serverName, requestedSchema }: CodexAsk): Ask | undefined {
  if (mode !== "form") return undefined;
  const properties = Object.entries(requestedSchema?.properties ?? {});
  const header = serverName ? { header: serverName } : {};
  const [first = { ...header, prompt: message, options: [], multi_select: false }, ...rest] = properties.map(
    ([name, field]): Question => ({
      ...header,
      prompt: `${message} ${field.title ?? field.description ?? name}`.trim(),
      options: labelsOf(field).map((label) => ({ label })),
      multi_select: false,
    }),
  );
  const fields = properties.map(([name, { type = "string" }]) => ({ name, type }));
  return { type: "question", questions: [first, ...rest], answer: { kind: "form", fields } };
}

function labelsOf({ type, enum: values }: CodexFormField): readonly string[] {
  return values ?? (type === "boolean" ? ["Yes", "No"] : []);
}

/** Decided by the permission mode, without asking a person. */
export function decidedByMode(
  { permissionMode: mode, isInside = () => false }: Pick<ConversionSetting, "permissionMode" | "isInside">,
  item: CodexItem | undefined,
): PermissionReply | undefined {
  if (mode === "bypass") return "once";
  if (mode === "plan") return "reject";
  return mode === "acceptEdits" && isEditInside(item, isInside) ? "once" : undefined;
}

function isEditInside(item: CodexItem | undefined, isInside: (path: string) => boolean): boolean {
  if (item?.type !== "fileChange" || !item.changes?.length) return false;
  const paths = item.changes.flatMap(({ path = "", kind }) => (kind?.move_path ? [path, kind.move_path] : [path]));
  return paths.every(isInside);
}
