import type { ParsedScript, SideRequest } from "../script/model-script.ts";
import type { ParsedStep } from "../script/model-step.ts";
import { finds } from "../script/pattern.ts";
import type { DialectName } from "../script/request-matcher.ts";
import { answersSince } from "./answers-since.ts";
import { checkExpectation } from "./check-expectation.ts";
import { chooseStep, type Served } from "./choose-step.ts";
import { fillCaptures } from "./fill-captures.ts";
import { knownSideRequests } from "./known-side-requests.ts";
import { type MatchedConversation, matchConversation, matchesSetting } from "./match-request.ts";
import type { ModelRequest } from "./model-request.ts";
import { promptsOf } from "./prompts.ts";

/** How a request is answered. */
export interface Play {
  readonly step: ParsedStep;
  /** Who answers: a conversation of the script, a side request, or nothing of the script. */
  readonly source: "conversation" | "side request" | "fallback";
  readonly name: string;
  /** Which step of the conversation. */
  readonly index: number;
  /** What the test should know: unmet expectations, a script that has nothing to say. */
  readonly problems: readonly string[];
}

interface Asked {
  readonly dialect: DialectName;
  readonly conversationId: string | undefined;
  readonly request: ModelRequest;
}

/** Follows all conversations of one script. Histories say where they are; it remembers only what was served where. */
export class ScriptPlayer {
  readonly #script: ParsedScript;
  readonly #sideRequests: readonly SideRequest[];
  readonly #served = new Map<string, Served[]>();

  constructor(script: ParsedScript) {
    this.#script = script;
    const known = script.knownSideRequests === false ? [] : knownSideRequests;
    this.#sideRequests = [...(script.sideRequests ?? []), ...known];
  }

  play(asked: Asked): Play {
    const side = this.#sideRequests.find(({ when }) => isSideRequest(when, asked));
    if (side) return this.#checked(asked, side.answer, "side request", side.name, 0);
    const conversation = matchConversation(this.#script, asked.dialect, asked.request);
    if (conversation === undefined) return this.#fallback(asked, "no conversation of the script matches this request");
    const { index, step } = this.#nextStep(asked, conversation);
    if (step) return this.#checked(asked, step, "conversation", conversation.name, index);
    return this.#fallback(asked, `${conversation.name} has no step ${index} (counted from 0)`);
  }

  #nextStep(
    { conversationId, request }: Asked,
    { name, steps, beginsAt }: MatchedConversation,
  ): ReturnType<typeof chooseStep> {
    const answers = answersSince(request.messages, beginsAt);
    const prompts = promptsOf(request.messages).map(({ text }) => text);
    const place = JSON.stringify([name, conversationId ?? "", beginsAt, answers.length]);
    const served = this.#served.get(place) ?? [];
    const chosen = chooseStep(steps, answers, prompts, served);
    this.#served.set(place, [...served, { prompts, index: chosen.index }]);
    return chosen;
  }

  #fallback(asked: Asked, reason: string): Play {
    const { fallback = "fail" } = this.#script;
    const said = promptsOf(asked.request.messages).at(-1)?.text ?? "";
    if (fallback === "echo") return this.#checked(asked, { text: said }, "fallback", "echo", 0);
    if (fallback !== "fail") return this.#checked(asked, fallback, "fallback", "fallback", 0);
    const message = `The model script has no answer: ${reason}. The user said last: ${JSON.stringify(said.slice(-200))}`;
    const step: ParsedStep = { error: { status: 500, message } };
    return { step, source: "fallback", name: "fail", index: 0, problems: [message] };
  }

  #checked(asked: Asked, scripted: ParsedStep, source: Play["source"], name: string, index: number): Play {
    const { step, missing } = fillCaptures(scripted, asked.request);
    const unmet = checkExpectation(step.expect ?? {}, asked.request);
    const lost = missing.map((capture) => `found nothing in the request for the capture ${capture}`);
    return { step, source, name, index, problems: [...unmet, ...lost].map((text) => `${name}[${index}] ${text}`) };
  }
}

function isSideRequest(when: SideRequest["when"], { dialect, request }: Asked): boolean {
  if (!matchesSetting(when, dialect, request)) return false;
  const { prompt } = when;
  const last = promptsOf(request.messages).at(-1);
  return prompt === undefined || (last !== undefined && finds(prompt, last.text));
}
