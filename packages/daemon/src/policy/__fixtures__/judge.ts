import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PermissionMode, PermissionPolicy, PermissionRequestedData, PolicyRule } from "@sandbox-agent-ts/protocol";
import { afterAll } from "vitest";
import { temporaryDirectory } from "../../__fixtures__/temporary-directory.ts";
import { type Decision, decide } from "../decide.ts";

const home = temporaryDirectory(afterAll);
export const directory = join(home, "project");
for (const name of ["src", "secret", "src/deep"]) mkdirSync(join(directory, name), { recursive: true });
writeFileSync(join(directory, "secret/key"), "");
writeFileSync(join(directory, "src/a.ts"), "");
symlinkSync(join(directory, "secret"), join(directory, "src/link"));
symlinkSync(join(directory, "secret/new"), join(directory, "src/dangling"));
symlinkSync(join(directory, "src/deep"), join(directory, "down"));

export type About = Partial<PermissionRequestedData>;

export function judge(
  rules: readonly PolicyRule[],
  about: About,
  more: Partial<PermissionPolicy> & { mode?: PermissionMode } = {},
): Decision {
  const { mode = "default", ...policy } = more;
  const request: PermissionRequestedData = { permission_id: "p", action: "", status: "requested", ...about };
  return decide({ rules: [...rules], ...policy }, request, { directory, home, permissionMode: mode });
}

export const actionOf = (...judged: Parameters<typeof judge>) => judge(...judged).action;
export const edit = (...paths: string[]): About => ({ kind: "edit", tool: "Edit", paths });
export const run = (command: string): About => ({ kind: "execute", tool: "Bash", command, cwd: directory });
