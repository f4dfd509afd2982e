const createdKey = "sandbox-agent.created";
/** Of each creation another one, so that what came of it is found also where its answer was lost. */
export const creationKey = "sandbox-agent.creation";

/** Labels as E2B keeps them, with the time: what E2B has is that of the last start. */
export function metadataOf(labels: Readonly<Record<string, string>>, creation: string): Record<string, string> {
  return { ...labels, [createdKey]: String(Date.now()), [creationKey]: creation };
}

export function labelsOf(metadata: Readonly<Record<string, string>>, startedAt: Date) {
  const { [createdKey]: created, [creationKey]: _, ...labels } = metadata;
  return { labels, createdAt: created === undefined ? startedAt.getTime() : Number(created) };
}
