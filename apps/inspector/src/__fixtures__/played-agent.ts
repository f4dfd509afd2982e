import type { AgentAdapter, OpenOptions, TurnOutcome } from "@sandbox-agent-ts/agents";
import type { ContentPart, EventDraft, UniversalItem } from "@sandbox-agent-ts/protocol";
import { createFakeAgent } from "@sandbox-agent-ts/testing";

/** What an agent says in a turn, item by item. */
export type Play = (say: (...items: readonly PlayedItem[]) => void) => Promise<void> | void;

export type PlayedItem = Pick<UniversalItem, "kind" | "role"> & { readonly content: ContentPart[] };

/** An agent that plays what a test has written, and can say things no decent agent would. */
export function playedAgent(play: Play): AgentAdapter {
  return {
    id: "played",
    displayName: "Played",
    capabilities: createFakeAgent().capabilities,
    permissionModes: ["default"],
    probe: async () => ({ installed: true, credentialsAvailable: true }),
    modes: async () => [{ id: "build", name: "Build", description: "" }],
    models: async () => ({ models: [] }),
    open: async (options) => ({
      prompt: () => perform(options, play),
      interrupt: async () => {},
      answerPermission: async () => {},
      answerQuestion: async () => {},
      close: async () => {},
    }),
  };
}

async function perform({ emit, itemPrefix }: OpenOptions, play: Play): Promise<TurnOutcome> {
  let count = 0;
  await play((...items) => emit(items.flatMap((item) => draftsOf(item, `${itemPrefix}${++count}`))));
  return { reason: "completed" };
}

function draftsOf(item: PlayedItem, item_id: string): EventDraft[] {
  const from = { source: "agent", synthetic: false } as const;
  const text = item.content.flatMap((part) => (part.type === "text" ? part.text : [])).join("");
  const started = { ...item, item_id, status: "in_progress" as const, content: item.content.map(emptied) };
  return [
    { type: "item.started", data: { item: started }, ...from },
    ...(text === "" ? [] : [{ type: "item.delta" as const, data: { item_id, delta: text }, ...from }]),
    { type: "item.completed", data: { item: { ...item, item_id, status: "completed" } }, ...from },
  ];
}

function emptied(part: ContentPart): ContentPart {
  return part.type === "text" ? { ...part, text: "" } : part;
}
