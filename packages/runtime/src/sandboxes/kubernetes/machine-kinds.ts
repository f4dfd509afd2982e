import { randomBytes } from "node:crypto";
import { claimKind } from "./claim-kind.ts";
import type { Mode } from "./kubernetes-settings.ts";
import type { MachineKind } from "./machine-kind.ts";
import { podKind } from "./pod-kind.ts";
import { sandboxKind } from "./sandbox-kind.ts";

export const machineKinds: Readonly<Record<Mode, MachineKind>> = {
  pod: podKind,
  sandbox: sandboxKind,
  claim: claimKind,
};

const idBytes = 6;

/** Its name in the cluster says what it is. */
export const newId = ({ mode }: MachineKind): string => `agent-${mode}-${randomBytes(idBytes).toString("hex")}`;

export function kindOf(id: string): MachineKind | undefined {
  const [, mode] = /^agent-(pod|sandbox|claim)-[0-9a-f]{12}$/.exec(id) ?? [];
  return mode === undefined ? undefined : machineKinds[mode as Mode];
}
