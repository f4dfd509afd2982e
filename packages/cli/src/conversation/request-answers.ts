import type { PermissionReplyRequest, PermissionRequestedData, QuestionRequestedData } from "@sandbox-agent-ts/sdk";
import { diffText } from "../output/diff-text.ts";
import type { Paint } from "../output/terminal.ts";
import type { Keyboard } from "./keyboard.ts";

/** One list of labels per question, or null to decline. */
export type QuestionAnswers = string[][] | null;

/**
 * Decides what the agent asks. The signal is aborted when the request is settled elsewhere, e.g. in the inspector;
 * undefined then, or when the person left without an answer.
 */
export interface RequestAnswerer {
  decide(permission: PermissionRequestedData, signal: AbortSignal): Promise<PermissionReplyRequest | undefined>;
  answer(question: QuestionRequestedData, signal: AbortSignal): Promise<QuestionAnswers | undefined>;
}

/** `--yes`: everything is allowed, plans are approved, of other questions the first option is taken. */
export const answerYes: RequestAnswerer = {
  decide: async () => ({ reply: "once" }),
  answer: async (question) => partsOf(question).map(({ options }) => options.slice(0, 1).map(({ label }) => label)),
};

const nobodyThere = "Nobody can be asked: the command was started without a terminal.";

/** No terminal: everything is refused, with the reason. */
export class Unattended implements RequestAnswerer {
  /** How often something was refused. */
  refused = 0;
  readonly #tell: (sentence: string) => void;

  constructor(tell: (sentence: string) => void) {
    this.#tell = tell;
  }

  async decide({ action }: PermissionRequestedData): Promise<PermissionReplyRequest> {
    this.#refuse(action);
    return { reply: "reject", reason: nobodyThere };
  }

  async answer({ prompt }: QuestionRequestedData): Promise<QuestionAnswers> {
    this.#refuse(prompt);
    return null;
  }

  #refuse(what: string): void {
    this.refused += 1;
    this.#tell(`Refused, because nobody can be asked (--yes or --policy decide without): ${firstLine(what)}`);
  }
}

/** Asks the person at the terminal. */
export class AskPerson implements RequestAnswerer {
  readonly #keyboard: Keyboard;
  readonly #paint: Paint;
  readonly #show: (text: string) => void;

  constructor(keyboard: Keyboard, paint: Paint, show: (text: string) => void) {
    this.#keyboard = keyboard;
    this.#paint = paint;
    this.#show = show;
  }

  async decide(permission: PermissionRequestedData, signal: AbortSignal): Promise<PermissionReplyRequest | undefined> {
    this.#show(permissionText(permission, this.#paint));
    while (true) {
      const prompt = this.#paint("yellow", "Allow? [y]es, [a]lways, [n]o, or say what to do instead: ");
      const line = await this.#keyboard.readAnswer(prompt, signal);
      if (line === undefined) return undefined;
      const reply = permissionReply(line);
      if (reply) return reply;
    }
  }

  async answer(question: QuestionRequestedData, signal: AbortSignal): Promise<QuestionAnswers | undefined> {
    const answers: string[][] = [];
    for (const part of partsOf(question)) {
      this.#show(questionText(part, question.kind === "plan", this.#paint));
      const labels = await this.#askPart(part, signal);
      if (labels === undefined) return undefined;
      answers.push(labels);
    }
    return answers.every((labels) => labels.length === 0) ? null : answers;
  }

  async #askPart(part: QuestionPart, signal: AbortSignal): Promise<string[] | undefined> {
    const numbers = part.multi_select ? "Numbers, or your own words" : "A number, or your own words";
    const hint = part.options.length > 0 ? `${numbers} (Enter to decline): ` : "Your answer (Enter to decline): ";
    const line = await this.#keyboard.readAnswer(this.#paint("yellow", hint), signal);
    return line === undefined ? undefined : chosenLabels(line, part);
  }
}

/** Undefined for a line that says nothing. Words that are no letter of the prompt refuse, and are told to the agent. */
export function permissionReply(line: string): PermissionReplyRequest | undefined {
  const said = line.trim();
  if (said === "") return undefined;
  if (/^y(es)?$/i.test(said)) return { reply: "once" };
  if (/^a(lways)?$/i.test(said)) return { reply: "always" };
  const [, reason] = /^no?(?:[\s,:.]+(.*))?$/is.exec(said) ?? [said, said];
  return reason ? { reply: "reject", reason } : { reply: "reject" };
}

type QuestionPart = NonNullable<QuestionRequestedData["questions"]>[number];

function partsOf({ questions, prompt, options }: QuestionRequestedData): readonly QuestionPart[] {
  return questions ?? [{ prompt, options: options.map((label) => ({ label })), multi_select: false }];
}

/** Numbers choose options, their labels do too; anything else is an answer in the person's own words. */
export function chosenLabels(line: string, { options, multi_select }: QuestionPart): string[] {
  const said = line.trim();
  if (said === "") return [];
  const words = multi_select ? said.split(/[\s,]+/) : [said];
  const chosen = words.map((word) => options[Number(word) - 1]?.label);
  return chosen.every((label) => label !== undefined) ? chosen : [labelOf(said, options) ?? said];
}

function labelOf(said: string, options: QuestionPart["options"]): string | undefined {
  return options.find(({ label }) => label.toLowerCase() === said.toLowerCase())?.label;
}

const LONGEST_DIFF_LINES = 60;

function permissionText({ action, command, cwd, diff }: PermissionRequestedData, paint: Paint): string {
  const lines = [`${paint("yellow", "?")} ${paint("bold", firstLine(action))}`];
  if (command && command !== firstLine(action)) lines.push(indent(paint("cyan", command)));
  if (command && cwd) lines.push(indent(paint("dim", `in ${cwd}`)));
  if (diff) lines.push(indent(diffText(shorten(diff), paint)));
  return `${lines.join("\n")}\n`;
}

function questionText({ header, prompt, options }: QuestionPart, isPlan: boolean, paint: Paint): string {
  const title = isPlan ? "The agent proposes a plan" : (header ?? "The agent asks");
  const choices = options.map(
    ({ label, description }, index) =>
      `  ${paint("bold", `${index + 1}`)} ${label}${description ? paint("dim", ` — ${description}`) : ""}`,
  );
  return `${[`${paint("yellow", "?")} ${paint("bold", title)}`, indent(prompt), ...choices].join("\n")}\n`;
}

function shorten(text: string): string {
  const lines = text.trimEnd().split("\n");
  if (lines.length <= LONGEST_DIFF_LINES) return lines.join("\n");
  return [...lines.slice(0, LONGEST_DIFF_LINES), `… ${lines.length - LONGEST_DIFF_LINES} more lines`].join("\n");
}

const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";

const indent = (text: string): string => text.replace(/^/gm, "  ");
