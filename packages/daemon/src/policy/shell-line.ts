import {
  type Command,
  forEachChild,
  type ParsedScript,
  parse,
  type SyntaxNode,
  type Word,
  type WordPart,
} from "unbash";

const maxNesting = 8;
const maxLength = 100_000;

export interface ShellCommand {
  /** As the shell passes them on; with assignments in front. */
  readonly words: readonly string[];
  /** The beginning of its text that is known, when the shell expands something behind it. */
  readonly knownHead: string | undefined;
  /** Nothing is expanded but file names in its arguments. */
  readonly isPlain: boolean;
  /** What runs another command: it is one of the ends of its words. */
  readonly isWrapper: boolean;
}

/** What a shell would do with a command line, as far as it can be told without running it. */
export interface ShellLine {
  readonly commands: readonly ShellCommand[];
  /** Files that are written by redirection; `undefined` for one that only the shell knows. */
  readonly writes: readonly (string | undefined)[];
  readonly reads: readonly (string | undefined)[];
  /** Something is run that cannot be told. */
  readonly isOpaque: boolean;
}

const shells = new Set(["sh", "bash", "zsh", "dash", "ksh", "ash"]);
const foreignShells = new Set(["fish", "csh", "tcsh", "pwsh", "powershell", "cmd"]);
const evaluators = new Set(["eval", "source", ".", "trap", "alias"]);
const wrappers = new Set(
  (
    "command builtin exec env sudo doas su runuser nice ionice nohup time timeout gtimeout stdbuf setsid chroot unshare " +
    "nsenter xargs parallel watch strace ltrace busybox toybox find fd fdfind flock script ssh docker podman kubectl " +
    "chronic ts unbuffer caffeinate taskset chrt prlimit systemd-run start-stop-daemon setpriv capsh gosu entr npx bunx pnpx"
  ).split(" "),
);

export function readShellLine(source: string): ShellLine {
  const line = new LineReader();
  line.read(source, 0);
  return line;
}

class LineReader implements ShellLine {
  readonly commands: ShellCommand[] = [];
  readonly writes: (string | undefined)[] = [];
  readonly reads: (string | undefined)[] = [];
  isOpaque = false;

  read(source: string, nesting: number): void {
    if (nesting > maxNesting || source.length > maxLength) {
      this.isOpaque = true;
      return;
    }
    this.#script(parse(source), nesting);
  }

  #script(script: ParsedScript, nesting: number): void {
    const visit = (node: SyntaxNode): void => {
      if (node.type === "Script" && node.errors && node.errors.length > 0) this.isOpaque = true;
      if (node.type === "Command") this.#command(node, nesting);
      if (node.type === "Redirect") this.#redirect(node);
      // Arithmetic for Bash; a plain `sh` runs it, as a subshell in a subshell.
      if (node.type === "ArithmeticCommand") this.read(node.body, nesting + 1);
      forEachChild(node, visit);
    };
    visit(script);
  }

  #redirect({ operator, target }: Extract<SyntaxNode, { type: "Redirect" }>): void {
    if (!target) return;
    const path = isKnown(target) ? target.value : undefined;
    if ((operator === ">&" || operator === "<&") && path !== undefined && /^(\d+|-)-?$/.test(path)) return;
    if (path !== undefined && /^\/dev\/(null|stdout|stderr|stdin|tty)$/.test(path)) return;
    if (operator === "<" || operator === "<&") this.reads.push(path);
    else this.writes.push(path);
  }

  #command(command: Command, nesting: number): void {
    const words = [...command.prefix, command.name, ...command.args].flatMap(plainWord);
    if (words.length === 0) return;
    const name = command.name && isKnown(command.name) ? programName(command.name.value) : undefined;
    this.commands.push({
      words: words.map(({ text }) => text),
      knownHead: knownHead(words),
      isPlain: words.every((word, index) => word.isKnown || (index > 0 && word.isPattern)),
      isWrapper: name === undefined || wrappers.has(name) || shells.has(name),
    });
    if (name !== undefined) this.#inner(name, words.slice(command.prefix.filter(isAssignment).length + 1), nesting);
  }

  /** Commands that are text to be run. */
  #inner(name: string, rest: readonly PlainWord[], nesting: number): void {
    if (evaluators.has(name)) {
      if (name === "eval" && rest.every(({ isKnown: known }) => known)) {
        this.read(rest.map(({ text }) => text).join(" "), nesting + 1);
      } else this.isOpaque = true;
      return;
    }
    if (foreignShells.has(name)) this.isOpaque = true;
    if (!runsScripts(name, rest)) return;
    const script = rest.find((_, index) => /^-[a-z]*c[a-z]*$/i.test(rest[index - 1]?.text ?? ""));
    if (script?.isKnown) this.read(script.text, nesting + 1);
    else if (script || (shells.has(name) && isFed(rest))) this.isOpaque = true;
  }
}

/** A shell, or something that may start one with a script in its arguments. */
function runsScripts(name: string, rest: readonly PlainWord[]): boolean {
  if (shells.has(name) || name === "su") return true;
  return wrappers.has(name) && rest.some(({ text }) => shells.has(programName(text)));
}

/** A shell without a script of its own reads commands that come from elsewhere. */
function isFed(rest: readonly PlainWord[]): boolean {
  const operand = rest.find(({ text }) => !text.startsWith("-"));
  return (
    operand === undefined || /^\/(dev|proc)\//.test(operand.text) || rest.some(({ text }) => /^-[a-z]*s/.test(text))
  );
}

interface PlainWord {
  readonly text: string;
  readonly isKnown: boolean;
  /** Only file names are expanded. */
  readonly isPattern: boolean;
  /** Its text up to what only the shell knows. */
  readonly head: string;
}

function plainWord(node: Command["prefix"][number] | Command["args"][number] | Word | undefined): PlainWord[] {
  if (!node) return [];
  if (node.type === "Word") {
    const isPattern = (node.parts ?? []).every((part) => part.type === "Glob" || isFixed(part));
    return [{ text: node.value, isKnown: isKnown(node), isPattern, head: headOf(node) }];
  }
  if (!isAssignment(node)) return [];
  const known = node.value.type === "Word" && isKnown(node.value);
  const text = node.value.type === "Word" ? `${node.name}=${node.value.value}` : node.text;
  return [{ text, isKnown: known, isPattern: false, head: known ? text : `${node.name}=` }];
}

function isAssignment<T extends { type: string }>(node: T): node is T & { type: "Assignment" } {
  return node.type === "Assignment";
}

function knownHead(words: readonly PlainWord[]): string | undefined {
  const unknown = words.findIndex((word) => !word.isKnown);
  if (unknown === -1) return undefined;
  return [...words.slice(0, unknown).map(({ text }) => text), words[unknown]!.head].join(" ");
}

function isKnown(word: Word): boolean {
  return (word.parts ?? []).every(isFixed);
}

function headOf({ value, parts }: Word): string {
  if (!parts || parts.every(isFixed)) return value;
  let head = "";
  for (const part of parts) {
    if (!isFixed(part)) return head;
    if ("value" in part) head += part.value;
    else if (part.type === "DoubleQuoted") head += part.parts.map(({ text }) => text).join("");
  }
  return head;
}

/** Not expanded by the shell. */
function isFixed(part: WordPart): boolean {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return true;
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.every(({ type }) => type === "Literal");
    default:
      return false;
  }
}

/** The last part of its path, without the ending that Windows lets one leave out. */
export function programName(word: string): string {
  return word
    .slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1)
    .toLowerCase()
    .replace(/\.(exe|cmd|bat|com)$/, "");
}
