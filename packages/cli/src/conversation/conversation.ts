import { type SandboxAgent, TurnText, type UniversalEvent } from "@sandbox-agent-ts/sdk";
import { signalExitCode } from "../exit-code.ts";
import { onInterrupt } from "../interrupts.ts";
import { EventText } from "../output/event-text.ts";
import type { Output } from "../output/output.ts";
import { converse, type TurnResult } from "./converse.ts";
import type { Keyboard } from "./keyboard.ts";
import type { RequestAnswerer } from "./request-answers.ts";

export interface ConversationOptions {
  readonly client: SandboxAgent;
  readonly out: Output;
  readonly keyboard: Keyboard | undefined;
  readonly answerer: RequestAnswerer;
}

/** Turns of a session as a person, or a program in a pipe, sees them on stdout. */
export class Conversation {
  readonly #options: ConversationOptions;

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  send(sessionId: string, message: string): Promise<TurnResult> {
    return this.follow(sessionId, this.#options.client.streamTurn(sessionId, { message }));
  }

  /** Show a turn to its end, answer what is asked in it, and stop it on Esc or Ctrl-C; a second Ctrl-C leaves. */
  async follow(sessionId: string, events: AsyncIterable<UniversalEvent>): Promise<TurnResult> {
    const { client, answerer, keyboard } = this.#options;
    const stop = this.#stopper(sessionId);
    const release = onInterrupt(() => stop("ctrl-c"));
    const whenIdle = keyboard?.onInterrupt;
    if (keyboard) keyboard.onInterrupt = stop;
    try {
      return await converse({ client, sessionId, events, answerer, show: this.view() });
    } finally {
      release();
      if (keyboard && whenIdle) keyboard.onInterrupt = whenIdle;
    }
  }

  /** How events are shown: the whole turn to people, only the answer in a pipe, every event as JSON. */
  view({ showsPrompts = false } = {}): (event: UniversalEvent) => Promise<void> {
    const { out } = this.#options;
    if (out.audience === "json") return (event) => out.jsonLine(event);
    if (out.audience === "plain") {
      const answer = new TurnText();
      // A line ends behind the last word of the turn.
      return (event) => out.write(event.type === "turn.ended" ? "\n" : answer.next(event));
    }
    const text = new EventText({ paint: out.paint, columns: out.columns, showsPrompts });
    return (event) => out.write(isRequest(event) ? "" : text.text(event));
  }

  #stopper(sessionId: string): (key: "escape" | "ctrl-c") => void {
    let isStopping = false;
    return (key) => {
      if (isStopping && key === "ctrl-c") process.exit(signalExitCode("SIGINT"));
      if (isStopping) return;
      isStopping = true;
      this.#options.client.interruptSession(sessionId).catch((error: Error) => {
        process.stderr.write(`The turn could not be stopped: ${error.message}\n`);
        isStopping = false;
      });
    };
  }
}

/** Requests are shown by who answers them. */
const isRequest = ({ type }: UniversalEvent): boolean =>
  type === "permission.requested" || type === "question.requested";
