import type { SystemLine } from "../dialect.ts";
import { changesOfMode } from "../launch.ts";
import type { Conversion } from "./conversion.ts";
import { failureOf } from "./failures.ts";
import { endTurn } from "./results.ts";
import { abandonBlocks } from "./stream-events.ts";

/** One refusal may be cured by a fresh token, which Claude Code gets itself; the second means that the key is wrong. */
const REFUSALS_BEFORE_GIVING_UP = 2;

/** Tells nothing that is not told by another line. */
const silent = new Set([
  "api_metrics",
  "commands_changed",
  "control_request_progress",
  "elicitation_complete",
  "files_persisted",
  "hook_progress",
  "hook_response",
  "hook_started",
  "memory_recall",
  "mirror_error",
  "permission_denied",
  "plugin_install",
  "session_title_changed",
  "task_progress",
  "task_started",
  "task_updated",
  "thinking_tokens",
  "turn_duration",
  "ui_invalidate",
  "worker_shutting_down",
]);

/** Notices to a person, shown with these words before them. */
const notices: Record<string, string> = {
  informational: "Notice",
  notification: "Notice",
  local_command_output: "Output",
  session_writes_lost: "The conversation could not be saved",
  model_refusal_fallback: "The model refused; another one answers",
  model_refusal_no_fallback: "The model refused",
};

/** Each turn begins with how the MCP servers are; one that failed is of no use to the whole conversation. */
function takeServers(to: Conversion, { mcp_servers = [] }: SystemLine): void {
  for (const { name = "", status, error } of mcp_servers) {
    if (status !== "failed" || to.failedServers.includes(name)) continue;
    to.failedServers = [...to.failedServers, name];
    to.showStatus(`MCP server ${name} failed`, error ?? "Its tools are missing. Check its command or its address.");
  }
}

/** False for a line of a kind we have never seen. */
export function takeSystem(to: Conversion, line: SystemLine): boolean {
  switch (line.subtype) {
    case "init":
      to.nativeSessionId = line.session_id;
      to.permissionMode = line.permissionMode ?? to.permissionMode;
      takeServers(to, line);
      return true;
    case "session_state_changed":
      takeState(to, line.state);
      return true;
    case "status":
      takeStatus(to, line);
      return true;
    case "background_tasks_changed":
      to.tasks = (line.tasks ?? []).map(({ task_id, task_type }) => ({
        id: task_id,
        isAgent: task_type !== "local_bash",
      }));
      return true;
    case "task_notification":
      takeNotification(to, line);
      return true;
    case "compact_boundary":
      to.showStatus("Conversation compacted", compactDetail(line));
      return true;
    case "api_retry":
      takeRetry(to, line);
      return true;
    case "model_fallback":
      to.showStatus("Model changed", line.fallback_model);
      return true;
    default:
      return takeNotice(to, line);
  }
}

function takeNotice(to: Conversion, line: SystemLine): boolean {
  const label = notices[line.subtype];
  if (label === undefined) return silent.has(line.subtype);
  to.showStatus(label, line.content ?? line.message);
  return true;
}

function takeState(to: Conversion, state: string | undefined): void {
  to.isIdle = state === "idle";
  if (!to.isIdle) return;
  abandonBlocks(to);
  if (to.turn?.started) endTurn(to, to.turn);
}

function takeStatus(to: Conversion, line: SystemLine): void {
  if (line.status === "compacting") to.showStatus("Compacting the conversation");
  if (line.permissionMode === undefined || line.permissionMode === to.permissionMode) return;
  to.permissionMode = line.permissionMode;
  to.showStatus("Permission mode changed", line.permissionMode);
  const changes = changesOfMode(line.permissionMode, to.start.session);
  if (changes) to.emit("session.updated", { changes });
}

/** Foreground tasks are told by the results of their calls. */
function takeNotification(to: Conversion, { task_id, summary, status }: SystemLine): void {
  if (to.tasks.some(({ id }) => id === task_id)) to.showStatus(`Background task ${status ?? "ended"}`, summary);
}

function compactDetail({ compact_metadata }: SystemLine): string | undefined {
  const { trigger, pre_tokens } = compact_metadata ?? {};
  return pre_tokens === undefined ? trigger : `${pre_tokens} tokens before (${trigger ?? "auto"})`;
}

function takeRetry(to: Conversion, line: SystemLine): void {
  const { attempt = 1, max_retries, error = "unknown", error_status } = line;
  to.showStatus("Asking the model again", `${error_status ?? error}, attempt ${attempt} of ${max_retries ?? "?"}`);
  if (!to.turn) return;
  const retrying = failureOf(error, "", error_status ?? undefined);
  to.turn = { ...to.turn, retrying };
  if (error !== "authentication_failed" || attempt < REFUSALS_BEFORE_GIVING_UP) return;
  to.turn = { ...to.turn, failure: retrying };
  to.giveUp = true;
}
