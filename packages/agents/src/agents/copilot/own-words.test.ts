/** Feared: what a model says taken for Copilot's own words, or the other way round. */
import { expect, test } from "vitest";
import { ownWords, readFailure } from "./own-words.ts";

const said = (text: string, sessionUpdate = "agent_message_chunk") =>
  ownWords({ sessionUpdate, content: { type: "text", text } });

test.each([
  ["Info: Request failed due to a transient API error. Retrying...", "info"],
  ["Info: Response was interrupted due to a server error. Retrying...", "info"],
  ["Info: Operation cancelled by user", "info"],
  ["Error: 400 not to my liking", "error"],
  ["Error: Model 'm' not found on provider at http://127.0.0.1:1/v1 (HTTP 404).", "error"],
  ["Error: Failed to get response from the AI model; retried 5 times", "error"],
  ["Error: Could not connect to local model provider at http://127.0.0.1:1/v1.", "error"],
  ["Info: the build is green", undefined],
  ["Error: ENOENT is what your program prints", undefined],
  ["Error", undefined],
  ["It says Error: 400 bad", undefined],
])("%j is %s", (text, whose) => {
  expect(said(text)).toBe(whose);
  expect(said(text, "agent_thought_chunk")).toBeUndefined();
});

test("only its own error ends a turn as failed, with a sentence that says what to do", () => {
  expect(readFailure("Error: ENOENT is what your program prints")).toBeUndefined();
  expect(readFailure("Error: Authentication failed with provider (HTTP 401).")).toMatchObject({ code: "unauthorized" });
});
