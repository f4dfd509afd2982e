import { expect, test } from "vitest";
import { expectWholeTurn } from "../contract/expect-whole-turn.ts";
import { ignoredSettings } from "./ignored-settings.ts";
import { leftOut } from "./left-out.ts";
import { lostConversation } from "./lost-conversation.ts";
import { statusNotice } from "./status-notice.ts";

const agent = "The agent";

test("a lost conversation is named, with what to do", () => {
  const drafts = lostConversation(agent, "i1", "c-1");
  const detail = expect.stringMatching(/^The agent cannot go on with the conversation c-1;.* has to be said again\.$/);
  const item = {
    item_id: "i1",
    status: "completed",
    content: [{ type: "status", label: "Conversation lost", detail }],
  };
  expect(drafts.at(-1)).toMatchObject({ type: "item.completed", data: { item }, source: "daemon", synthetic: true });
});

test("settings that are not taken are named, with what to do", () => {
  const drafts = ignoredSettings("i1", ["hooks", "permission rules"], "Trust it.");
  const detail = expect.stringMatching(/ask for hooks, permission rules\. .* Trust it\.$/);
  expect(drafts.at(-1)).toMatchObject({ data: { item: { content: [{ type: "status", detail }] } } });
});

test("notices fit into a turn", () => {
  const by = { source: "agent", synthetic: false } as const;
  const notice = statusNotice("i2", ["MCP server x failed", "It is not there."], by);
  expect(notice).toMatchObject([by, by]);
  expectWholeTurn([...lostConversation(agent, "i1", "c"), ...notice, leftOut(agent, { bytes: 9, head: "{" })]);
});
