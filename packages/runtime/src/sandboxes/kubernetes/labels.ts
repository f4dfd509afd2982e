import { listableLabel } from "../hosted/packed-labels.ts";
import type { SandboxSummary } from "../sandbox-provider.ts";
import { type KubeObject, timeOf } from "./kube-object.ts";

/** Labels take few characters, annotations take all: the labels as they are. */
const labelsAnnotation = "sandbox-agent/labels";
const valueChars = 40;

type Labels = Readonly<Record<string, string>>;

/** What an object is found by and says of itself. Whatever a policy or a person selects all sandboxes by is the first label. */
export function metadataOf(labels: Labels): { readonly labels: Labels; readonly annotations: Labels } {
  const listable = Object.entries(labels).map(([key, value]) => listableLabel({ key, value }, valueChars));
  return {
    labels: { ...ownLabel, ...Object.fromEntries(listable.map(({ key, value }) => [key, value])) },
    annotations: { [labelsAnnotation]: JSON.stringify(labels) },
  };
}

const ownLabel = { "app.kubernetes.io/managed-by": "sandbox-agent" } as const;

export function selectorOf(label: { readonly key: string; readonly value: string }): string {
  const { key, value } = listableLabel(label, valueChars);
  return `${key}=${value}`;
}

/** Undefined where somebody else made it. */
export function summaryOf({ metadata }: KubeObject): SandboxSummary | undefined {
  const text = metadata.annotations?.[labelsAnnotation];
  if (text === undefined) return undefined;
  try {
    const labels = JSON.parse(text) as Labels;
    return { id: metadata.name, labels, createdAt: timeOf(metadata.creationTimestamp) ?? 0 };
  } catch {
    return undefined;
  }
}
