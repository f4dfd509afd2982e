import { relative, resolve } from "node:path";
import type { PermissionMode } from "@sandbox-agent-ts/protocol";
import { isReallyInside } from "../../../permissions/really-inside.ts";

export interface ToolUse {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export type Decision = "allow" | "ask" | { readonly refuse: string };

/** They read, search or tell, and change nothing. */
export const harmlessTools = [
  "Read",
  "Grep",
  "glob",
  "find_thread",
  "read_thread",
  "read_mcp_resource",
  "shell_command_status",
  "skill",
  "web_search",
];

const editingTools = new Set(["apply_patch", "create_file", "edit_file", "undo_edit", "delete_file"]);

/** What happens to a tool that Amp asks about, before any person is. */
export function decide(use: ToolUse, mode: PermissionMode, directory: string): Decision {
  const isEdit = editingTools.has(use.tool);
  if (mode === "bypass") return "allow";
  if (mode === "plan" && isEdit) {
    return { refuse: "This session only plans: nothing may be changed. Say what you would change instead." };
  }
  if (mode === "acceptEdits" && isEdit) return editedFiles(use).every(isOrdinary(directory)) ? "allow" : "ask";
  return "ask";
}

/** None named, or a name not understood, is not ordinary. */
function editedFiles({ input }: ToolUse): string[] {
  if (typeof input.path === "string") return [input.path];
  const patch = Object.values(input).find((value) => typeof value === "string" && value.includes("*** Begin Patch"));
  const named = String(patch ?? "").matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$/gm);
  const files = Array.from(named, ([, file]) => file as string);
  return files.length > 0 ? files : [".."];
}

/** Inside of the session's directory, and nothing that says what Amp may do. */
function isOrdinary(directory: string): (file: string) => boolean {
  return (file) => {
    const parts = relative(directory, resolve(directory, file)).split(/[\\/]/);
    return isReallyInside(directory, file) && !parts.includes(".amp");
  };
}
