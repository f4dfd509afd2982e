import { type Labels, listableLabel, packLabels, unpackLabels } from "../hosted/packed-labels.ts";

/** Modal does not say what it takes; these are sure to be. */
const space = { count: 20, valueChars: 60 };
const createdKey = "sandbox-agent-created";

/** Labels as tags, with the time of the creation, which the SDK does not tell. */
export function tagsOf(labels: Labels, now = Date.now()): Record<string, string> {
  return { ...packLabels(labels, space), [createdKey]: String(now) };
}

/** The tag to list by; of what is listed `labelsOf` says whether it is meant. */
export function listedTag(label: { readonly key: string; readonly value: string }): Record<string, string> {
  const { key, value } = listableLabel(label);
  return { [key]: value };
}

/** Undefined where others made the sandbox. */
export function labelsOf(tags: Labels): { readonly labels: Labels; readonly createdAt: number } | undefined {
  const labels = unpackLabels(tags);
  return labels && { labels, createdAt: Number(tags[createdKey]) };
}
