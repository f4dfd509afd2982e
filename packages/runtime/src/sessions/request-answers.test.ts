/** Feared: whoever answers while the runtime sends kept answers, as after its restart, is told that another was first. */
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { expect, test } from "vitest";
import type { RuntimeStore, StoredRequest } from "../store/runtime-store.ts";
import { type Answer, RequestAnswers } from "./request-answers.ts";

const answer: Answer = { permission: { reply: "once" } };

function answersOver(replyPermission: () => Promise<void>) {
  const open: StoredRequest[] = [{ requestId: "p", kind: "permission", answer }];
  const store = { openRequests: async () => open } as unknown as RuntimeStore;
  const client = { replyPermission } as unknown as SandboxAgent;
  return { open, answers: new RequestAnswers("s", store, (question) => question(client)) };
}

test("an answer that two send is told to the sandbox once", async () => {
  let told = 0;
  const { answers } = answersOver(async () => {
    told += 1;
    if (told > 1) throw new Error("It was answered already.");
  });
  await Promise.all([answers.sendKept(), answers.send("p", answer)]);
  await answers.send("p", answer);
  await answers.sendKept();
  expect(told).toBe(1);
});

test("one that did not arrive is sent again", async () => {
  let told = 0;
  const { answers } = answersOver(async () => {
    told += 1;
    if (told === 1) throw new Error("The sandbox does not answer.");
  });
  await expect(answers.send("p", answer)).rejects.toThrow("does not answer");
  await answers.sendKept();
  expect(told).toBe(2);
});

const died = () => new SandboxError("stream_error", "The daemon in the sandbox did not answer.");

test("a daemon that dies on the way is asked once more, and what the next one says counts", async () => {
  const late = new SandboxError("request_already_resolved", "The turn has ended.");
  for (const next of [undefined, late, died()]) {
    let told = 0;
    const { answers } = answersOver(async () => {
      told += 1;
      if (told === 1) throw died();
      if (next) throw next;
    });
    const sent = answers.send("p", answer);
    await (next ? expect(sent).rejects.toBe(next) : sent);
    expect(told).toBe(2);
  }
});
