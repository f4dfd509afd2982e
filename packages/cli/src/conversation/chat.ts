import type { SandboxAgent, SessionInfo, UniversalEvent } from "@sandbox-agent-ts/sdk";
import { withClient } from "../client/with-client.ts";
import type { CommandInput } from "../commands/command-input.ts";
import { exitCode } from "../exit-code.ts";
import { Output } from "../output/output.ts";
import { problemText } from "../output/problem-text.ts";
import { UsageError } from "../usage-error.ts";
import { countChanges } from "./changes.ts";
import { chooseAgent } from "./choose-agent.ts";
import { Conversation } from "./conversation.ts";
import { type Keyboard, openKeyboard } from "./keyboard.ts";
import { localDaemon } from "./local-daemon.ts";
import { AskPerson } from "./request-answers.ts";
import {
  type ConversationFlags,
  createHealthy,
  findSession,
  freshSessionId,
  installingText,
  mustInstall,
  newSession,
  seesOurFiles,
} from "./session-options.ts";
import { type ChatState, completeSlashCommand, isSlashCommand, messageOf, runSlashCommand } from "./slash-commands.ts";

/** How many of the last events are looked at to show where a conversation stopped. */
const SHOWN_EVENTS = 2_000;

/** A conversation until the person leaves; answers the exit code. */
export async function chat(
  sessionId: string | undefined,
  input: CommandInput,
  flags: ConversationFlags,
): Promise<number> {
  const keyboard = openKeyboard(completeSlashCommand);
  const out = new Output(process.stdout);
  if (!keyboard || !out.isForPeople) {
    keyboard?.close();
    throw new UsageError("`chat` needs a terminal. `sandbox-agent run` does one task without one.");
  }
  const tell = (sentence: string): Promise<void> => out.line(out.paint("dim", sentence));
  try {
    const connection = await localDaemon(flags, process.env, (sentence) => void tell(sentence));
    return await withClient(connection, async (client) => {
      const chat = new Chat(client, out, keyboard, input, await seesOurFiles(client, connection));
      await chat.begin(sessionId);
      await chat.talk();
      await tell(`Go on with: sandbox-agent chat ${chat.sessionId}`);
      return exitCode.ok;
    });
  } finally {
    keyboard.close();
  }
}

class Chat implements ChatState {
  readonly client: SandboxAgent;
  readonly out: Output;
  sessionId = "";
  readonly #keyboard: Keyboard;
  readonly #input: CommandInput;
  readonly #isLocal: boolean;
  readonly #conversation: Conversation;
  #agent: string | undefined;

  constructor(client: SandboxAgent, out: Output, keyboard: Keyboard, input: CommandInput, isHere: boolean) {
    this.client = client;
    this.out = out;
    this.#keyboard = keyboard;
    this.#input = input;
    this.#isLocal = isHere;
    // While no turn runs, Ctrl-C throws away the line that is being typed, or leaves when there is none.
    keyboard.onInterrupt = (key) => {
      if (!keyboard.clearLine() && key === "ctrl-c") keyboard.close();
    };
    const answerer = new AskPerson(keyboard, out.paint, (text) => void process.stdout.write(text));
    this.#conversation = new Conversation({ client, out, keyboard, answerer });
  }

  async begin(sessionId: string | undefined): Promise<void> {
    const wanted = sessionId ?? (this.#input.flag("continue") ? await this.#latestHere() : undefined);
    const session = wanted === undefined ? undefined : await findSession(this.client, wanted);
    if (session) await this.#goOnWith(session);
    else await this.startNew(wanted);
  }

  /** Read, send, show, until the person leaves. */
  async talk(): Promise<void> {
    while (true) {
      const line = await this.#readMessage();
      if (line === undefined) return;
      if (line.trim() === "") continue;
      if (isSlashCommand(line)) {
        if (await runSlashCommand(this, line)) return;
        continue;
      }
      const turn = await this.#conversation.send(this.sessionId, messageOf(line));
      await countChanges(this.client, this.out, this.sessionId, turn.turnId);
      if (turn.sessionEnded) {
        await this.out.line("The session has ended. This is a new one.");
        await this.startNew();
      }
    }
  }

  async startNew(sessionId = freshSessionId("chat")): Promise<void> {
    this.#agent ??= this.#input.text("agent") ?? (await this.#choose());
    const request = await newSession(this.#input, this.#agent, this.#isLocal);
    const isMissing = await mustInstall(this.client, this.#agent);
    const waiting = isMissing ? installingText(this.#agent) : `Starting ${this.#agent} …`;
    await this.out.line(this.out.paint("dim", waiting));
    await this.#introduce(await createHealthy(this.client, sessionId, request));
  }

  async resume(sessionId: string): Promise<void> {
    const session = await findSession(this.client, sessionId);
    if (!session) throw new Error(`There is no session "${sessionId}". /sessions lists them.`);
    await this.#goOnWith(session);
  }

  async #goOnWith(session: SessionInfo): Promise<void> {
    const problem = problemText(session);
    if (problem !== undefined) throw new Error(problem);
    if (session.ended) throw new Error(`Session "${session.sessionId}" has ended. Start another with /new.`);
    await this.#introduce(session);
    this.#agent = session.agent;
    const offset = Math.max(0, session.eventCount - SHOWN_EVENTS);
    const { events } = await this.client.getEvents(session.sessionId, { offset });
    const begin = events.findLastIndex(({ type }) => type === "turn.started");
    if (begin < 0) return;
    const lastTurn = events.slice(begin);
    if (lastTurn.some(({ type }) => type === "turn.ended")) {
      const show = this.#conversation.view({ showsPrompts: true });
      for (const event of lastTurn) await show(event);
      return;
    }
    const running = turnAfter(this.client, session.sessionId, (events[begin]?.sequence ?? 1) - 1);
    await this.#conversation.follow(session.sessionId, running);
  }

  async #introduce(session: SessionInfo): Promise<void> {
    this.sessionId = session.sessionId;
    const { paint } = this.out;
    const where = session.directory ? ` in ${session.directory}` : "";
    await this.out.line(`${paint("bold", session.agent)}${where} ${paint("dim", `· ${session.sessionId} · /help`)}`);
  }

  #choose(): Promise<string> {
    const show = (text: string): void => void process.stdout.write(text);
    return chooseAgent({ client: this.client, keyboard: this.#keyboard, paint: this.out.paint, show });
  }

  async #latestHere(): Promise<string | undefined> {
    const directory = (await newSession(this.#input, "", this.#isLocal)).directory;
    const { sessions } = await this.client.listSessions();
    const here = sessions.filter((session) => !session.ended && !session.problem && session.directory === directory);
    const latest = here.toSorted((one, other) => other.updatedAt - one.updatedAt)[0];
    if (!latest)
      throw new UsageError(
        `There is no conversation ${directory ? `in ${directory}` : "here"} yet. Start one with --agent.`,
      );
    return latest.sessionId;
  }

  /** A line that ends in a backslash goes on. */
  async #readMessage(): Promise<string | undefined> {
    const lines: string[] = [];
    while (true) {
      const line = await this.#keyboard.readMessage(this.out.paint("bold", lines.length === 0 ? "› " : "… "));
      if (line === undefined) return undefined;
      if (!line.endsWith("\\")) return [...lines, line].join("\n");
      lines.push(line.slice(0, -1));
    }
  }
}

/** The events of the turn that runs, to its end. */
async function* turnAfter(client: SandboxAgent, sessionId: string, offset: number): AsyncGenerator<UniversalEvent> {
  for await (const event of client.streamEvents(sessionId, { offset })) {
    yield event;
    if (event.type === "turn.ended" || event.type === "session.ended") return;
  }
}
