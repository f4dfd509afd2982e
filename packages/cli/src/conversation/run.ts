import { text as readText } from "node:stream/consumers";
import type { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { withClient } from "../client/with-client.ts";
import type { CommandInput } from "../commands/command-input.ts";
import { exitCode, signalExitCode } from "../exit-code.ts";
import { Output } from "../output/output.ts";
import { UsageError } from "../usage-error.ts";
import { showChanges } from "./changes.ts";
import { chooseAgent } from "./choose-agent.ts";
import { Conversation } from "./conversation.ts";
import type { TurnResult } from "./converse.ts";
import { openKeyboard } from "./keyboard.ts";
import { localDaemon } from "./local-daemon.ts";
import { AskPerson, answerYes, type RequestAnswerer, Unattended } from "./request-answers.ts";
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

/** The turn is done, but something was refused because nobody could be asked. */
const REFUSED = 3;

async function messageOf(prompt: string | undefined): Promise<string> {
  const message = prompt === "-" ? await readText(process.stdin) : prompt;
  if (message === undefined || message.trim() === "") {
    throw new UsageError("There is nothing to do: give the task as an argument, or `-` to read it from stdin.");
  }
  return message;
}

/** One task from its prompt to its outcome; answers the exit code. */
export async function run(prompt: string | undefined, input: CommandInput, flags: ConversationFlags): Promise<number> {
  const message = await messageOf(prompt);
  const out = new Output(process.stdout, { json: flags.json });
  const notices = new Output(process.stderr);
  const tell = (sentence: string): void => void process.stderr.write(`${notices.paint("dim", sentence)}\n`);
  const connection = await localDaemon(flags, process.env, tell);
  const keyboard = openKeyboard();
  const unattended = new Unattended(tell);
  const show = (text: string): void => void process.stderr.write(text);
  const person: RequestAnswerer = keyboard ? new AskPerson(keyboard, notices.paint, show) : unattended;
  const answerer = input.flag("yes") ? answerYes : person;
  try {
    return await withClient(connection, async (client) => {
      const choose = () => chooseAgent({ client, keyboard, paint: notices.paint, show });
      const sessionId = await sessionOf({
        client,
        input,
        choose,
        tell,
        isHere: await seesOurFiles(client, connection),
      });
      const conversation = new Conversation({ client, out, keyboard, answerer });
      const turn = await conversation.send(sessionId, message);
      if (turn.reason === "error" && !out.isForPeople) tell(`The turn failed: ${turn.message ?? "no reason is known"}`);
      if (out.isForPeople && input.flag("no-diff") !== true) await showChanges(client, out, sessionId, turn.turnId);
      if (out.isForPeople) tell(`Go on with: sandbox-agent chat ${sessionId}`);
      return codeOf(turn, unattended.refused);
    });
  } finally {
    keyboard?.close();
  }
}

interface SessionChoice {
  readonly client: SandboxAgent;
  readonly input: CommandInput;
  /** Agents see the files of this machine. */
  readonly isHere: boolean;
  choose(): Promise<string>;
  tell(sentence: string): void;
}

async function sessionOf({ client, input, isHere, choose, tell }: SessionChoice): Promise<string> {
  const named = input.text("session");
  if (named !== undefined && (await findSession(client, named))) return named;
  const sessionId = named ?? freshSessionId("run");
  const agent = input.text("agent") ?? (await choose());
  const request = await newSession(input, agent, isHere);
  if (await mustInstall(client, agent)) tell(installingText(agent));
  await createHealthy(client, sessionId, request);
  return sessionId;
}

function codeOf({ reason }: TurnResult, refused: number): number {
  if (reason === "interrupted") return signalExitCode("SIGINT");
  if (reason === "error") return exitCode.failure;
  return refused > 0 ? REFUSED : exitCode.ok;
}
