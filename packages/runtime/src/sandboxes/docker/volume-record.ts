import { type ContainerBody, sandboxLabel } from "./container-body.ts";

/** What has to be known of a sandbox to find it again, kept as labels of its volume. Holds no secrets. */
export interface VolumeRecord {
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly createdAt: number;
  /** What its container is made from, also a second time when somebody has removed the first. */
  readonly body: ContainerBody;
  readonly hasPort: boolean;
  /** Where the agents' programs are inside. */
  readonly programs?: string | undefined;
}

const recordLabel = "sandbox-agent.record";

/** Labels of the sandbox are labels of the volume too, so that the engine finds it by them. */
export function recordLabels(record: VolumeRecord): Record<string, string> {
  return { ...record.labels, [sandboxLabel]: record.id, [recordLabel]: JSON.stringify(record) };
}

export function readRecord(labels: Readonly<Record<string, string>>): VolumeRecord {
  return JSON.parse(labels[recordLabel] ?? "{}") as VolumeRecord;
}
