import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";
import type { AgentHarness, HarnessTurn } from "./agent-harness.ts";
import type { ProvokingMessage } from "./agent-scenario.ts";
import type { ModelWitness, SeenRequest } from "./model-script.ts";
import { assistantText, toolOutputs } from "./stream-readers.ts";

/** The turn ended and said what the scenario promised. */
export function expectProvoked({ outcome, events }: HarnessTurn, by: ProvokingMessage): void {
  expect(outcome, JSON.stringify(events.slice(-5))).toMatchObject({ reason: by.ends ?? "completed" });
  if (by.replies !== undefined) expect(assistantText(events)).toContain(by.replies);
  for (const text of [by.results ?? []].flat()) expect(toolOutputs(events).join("\n")).toContain(text);
}

function isCreated(harness: AgentHarness, { creates }: ProvokingMessage): boolean | undefined {
  return creates === undefined ? undefined : existsSync(join(harness.directory, creates));
}

/** Where the scenario names a file, it is there exactly when the agent was let. */
export function expectCreated(harness: AgentHarness, by: ProvokingMessage, expected: boolean): void {
  if (by.creates !== undefined) expect(isCreated(harness, by), `${by.creates} exists`).toBe(expected);
}

export async function expectLeft(harness: AgentHarness, { leaves = {} }: ProvokingMessage): Promise<void> {
  for (const [file, text] of Object.entries(leaves)) {
    expect(await readFile(join(harness.directory, file), "utf8"), file).toBe(text);
  }
}

/** The agent wrote into the user's directory what it was told to, and nothing of its own. */
export async function expectUntouched(harness: AgentHarness, by: ProvokingMessage): Promise<void> {
  const created = isCreated(harness, by) ? [by.creates!] : [];
  const expected = new Set([...Object.keys(by.files ?? {}), ...Object.keys(by.leaves ?? {}), ...created]);
  expect((await readdir(harness.directory)).sort()).toEqual([...expected].sort());
}

/** What the model was asked in conversations that have this message. */
export function requestsAbout(model: ModelWitness, message: string): SeenRequest[] {
  return model.requests.filter(({ messages }) =>
    messages.some(({ role, text }) => role === "user" && text.includes(message)),
  );
}

/** All that a request says, as one text. */
export function requestText({ model, system, tools, messages }: SeenRequest): string {
  const said = messages.flatMap(({ text, toolResults }) => [text, ...toolResults.map((result) => result.text)]);
  return [model, system, ...tools, ...said].join("\n");
}

/** The last request of the conversation tells the model all of this. Where no model can be asked there is nothing to see. */
export function expectModelSaw(model: ModelWitness | undefined, message: string, ...texts: string[]): void {
  if (!model) return;
  const last = requestsAbout(model, message).at(-1);
  expect(last, `a request with ${JSON.stringify(message)}`).toBeDefined();
  for (const text of texts) expect(requestText(last!)).toContain(text);
}

export function expectModelSawImage(model: ModelWitness | undefined, message: string): void {
  if (!model) return;
  const images = requestsAbout(model, message).flatMap(({ messages }) => messages.flatMap((one) => one.images));
  expect(images).not.toEqual([]);
}

/** The last request with `message` says where the attached files are, images left out. */
export function expectModelSawPaths(
  model: ModelWitness | undefined,
  { directory }: AgentHarness,
  { attach = [] }: ProvokingMessage,
  message = "",
): void {
  if (!model) return;
  const said = requestText(requestsAbout(model, message).at(-1)!);
  for (const { file, mime } of attach) {
    if (mime?.startsWith("image/")) continue;
    const path = join(directory, file);
    expect(said.includes(path) || said.includes(pathToFileURL(path).href), `the model is told of ${path}`).toBe(true);
  }
}

/** The last request with the message has its images, or says where they are, so that they can be looked at again. */
export function expectModelKnowsImages(
  model: ModelWitness | undefined,
  { message, attach = [] }: ProvokingMessage,
): void {
  if (!model) return;
  const last = requestsAbout(model, message).at(-1)!;
  if (last.messages.some(({ images }) => images.length > 0)) return;
  const said = requestText(last);
  for (const { file, mime } of attach) if (mime?.startsWith("image/")) expect(said).toContain(`/${file}`);
}
