import { listableLabel, packLabels, unpackLabels } from "../hosted/packed-labels.ts";
import type { SandboxSummary } from "../sandbox-provider.ts";
import type { ListedSandbox } from "./vercel-client.ts";

/** Vercel takes five tags, and lists by one. How long their values may be it does not say. */
const space = { count: 5, valueChars: 128 };

export const tagsOf = (labels: Readonly<Record<string, string>>): Record<string, string> => packLabels(labels, space);

export const tagOf = (label: { readonly key: string; readonly value: string }) =>
  listableLabel(label, space.valueChars);

/** Undefined where it is not one of ours. */
export function summaryOf({ name, tags = {}, createdAt }: ListedSandbox): SandboxSummary | undefined {
  const labels = unpackLabels(tags);
  return labels && { id: name, labels, createdAt };
}
