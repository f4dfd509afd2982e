import type { ActionKind } from "../tool-call.ts";

/** What a tool does, finer than its kind: it decides the sentence. */
export type ToolVerb =
  | "run"
  | "write"
  | "edit"
  | "delete"
  | "move"
  | "read"
  | "search"
  | "find"
  | "list"
  | "fetch"
  | "searchWeb"
  | "nothing";

export const kindOfVerb: Readonly<Record<ToolVerb, ActionKind>> = {
  run: "execute",
  write: "edit",
  edit: "edit",
  delete: "delete",
  move: "move",
  read: "read",
  search: "read",
  find: "read",
  list: "read",
  fetch: "fetch",
  searchWeb: "fetch",
  nothing: "other",
};

/** Names of tools in lower case and without signs, by what they do. */
const names: Readonly<Record<ToolVerb, string>> = {
  run: "bash shell shellcommand localshell execcommand exec execute executecommand runcommand runshellcommand runterminalcmd terminal powershell unifiedexec",
  write: "write writefile createfile create writetextfile savefile",
  edit: "edit editfile multiedit notebookedit replace strreplace strreplaceeditor strreplacebasededittool texteditor insert undoedit applypatch patch applydiff",
  delete: "delete deletefile removefile remove rm deletedirectory",
  move: "move movefile rename renamefile mv",
  read: "read readfile readmanyfiles readtextfile view viewfile viewimage readimage notebookread cat",
  search: "grep search searchfiles searchfilecontent grepsearch codesearch ripgrep rg",
  find: "glob find findfiles filesearch",
  list: "ls list listdirectory listdir readfolder tree",
  fetch: "webfetch fetch readwebpage fetchurl httprequest",
  searchWeb: "websearch googlewebsearch",
  nothing:
    "askuserquestion askuser question requestuserinput exitplanmode planexit enterplanmode todowrite todoread updateplan task agent skill think",
};

const verbs = new Map(
  Object.entries(names).flatMap(([verb, list]) => list.split(" ").map((name) => [name, verb as ToolVerb])),
);

/** `developer__shell` is the tool `shell` of a part of the agent that is named `developer`. */
export function verbOfName(name: string): ToolVerb | undefined {
  const own = name.split("__").at(-1) ?? name;
  return verbs.get(plain(name)) ?? verbs.get(plain(own));
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** Kinds as the Agent Client Protocol has them, beside ours. */
const toldKinds: Readonly<Record<string, ToolVerb>> = {
  read: "read",
  edit: "edit",
  delete: "delete",
  move: "move",
  search: "search",
  execute: "run",
  fetch: "fetch",
};

export function verbOfKind(kind: string | undefined): ToolVerb | undefined {
  return kind === undefined ? undefined : toldKinds[kind];
}

/** From harmless to dangerous; of two things that are told of one call the more dangerous one counts. */
const danger: readonly ActionKind[] = ["other", "read", "fetch", "mcp", "edit", "move", "delete", "execute"];

export function moreDangerous(one: ToolVerb, other: ToolVerb): ToolVerb {
  const [a, b] = [one, other].map((verb) => danger.indexOf(kindOfVerb[verb]));
  return (b ?? 0) > (a ?? 0) ? other : one;
}
