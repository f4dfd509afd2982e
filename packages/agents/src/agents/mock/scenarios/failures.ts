import { createHash } from "node:crypto";
import { mockDraft } from "../mock-draft.ts";
import type { Scenario } from "../scenario.ts";

/** The model service fails: an error event, and a turn that ends with it. */
export const error: Scenario = async (stage) => {
  const message = "The mock model is overloaded. Send the message again.";
  const data = { message, code: "mock_overloaded", details: { retryable: true } };
  stage.session.emit([mockDraft("error", data, { code: data.code })]);
  return { reason: "error", message };
};

/** A native line nobody can read: reported, and the turn goes on. */
export const unparsed: Scenario = async (stage) => {
  const line = '{"step":"item.started","item":{';
  const raw_hash = createHash("sha256").update(line).digest("hex");
  const data = { error: "Unexpected end of JSON input", location: "mock", raw_hash };
  stage.session.emit([{ type: "agent.unparsed", data, source: "agent", synthetic: false, raw: line }]);
  await stage.say("One line was not understood, and I go on.");
  return undefined;
};
