import type { ProvokingMessage } from "../agent-scenario.ts";
import type { ModelStep } from "../model-script.ts";

/** What passes is tried again by most agents; what does not is reported, at once or after a few tries. */
export const failures = {
  error: lasting("Cause an error.", { status: 400, message: "This request is not to my liking." }),
  wrongKey: lasting("Use the wrong key.", { status: 401, message: "invalid x-api-key" }),
  forbidden: lasting("Use what is forbidden.", { status: 403, message: "Your country is not supported." }),
  unknownModel: {
    ...lasting("Use a model that is not there.", { status: 404, message: "model: no-such-model" }),
    session: { model: "no-such-model" },
  },
  unknownVariant: {
    message: "Use a variant that is not there.",
    session: { variant: "no-such-variant" },
    script: [{ text: "As you wish." }],
  },
  rateLimit: passing("Ask too often.", { error: { status: 429, retryAfterSeconds: 0 } }),
  serverError: passing("Break the server.", { error: { status: 500 } }),
  // For longer than any test takes: whoever only obeys waits for minutes.
  lastingRateLimit: lasting("Ask far too often.", { status: 429, retryAfterSeconds: 120 }),
  lastingServerError: lasting("Break the server for good.", { status: 500 }),
  cutStream: passing("Cut the stream.", { text: ["It was a dark ", "and stormy night"], cut: 1 }),
} satisfies Record<string, ProvokingMessage>;

function lasting(message: string, error: NonNullable<ModelStep["error"]>): ProvokingMessage {
  return { message, script: [{ error, repeat: "forever" }], ends: "error" };
}

function passing(message: string, first: ModelStep): ProvokingMessage {
  return { message, script: [first, { text: "Here I am again." }], ends: "completed", replies: "Here I am again." };
}
