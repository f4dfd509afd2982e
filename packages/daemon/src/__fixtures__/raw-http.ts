import { connect } from "node:net";

export interface RawAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Send exactly these bytes on a connection of their own; what comes back until the daemon closes it. */
export function sendRaw(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const received: Buffer[] = [];
    socket.on("data", (chunk) => received.push(chunk));
    socket.once("error", reject);
    socket.once("close", () => resolve(Buffer.concat(received).toString("latin1")));
  });
}

/** One request whose lines a proper client would not write, and its one answer. */
export async function askRaw(url: string, lines: readonly string[], body = ""): Promise<RawAnswer> {
  const text = await sendRaw(url, `${lines.join("\r\n")}\r\nconnection: close\r\n\r\n${body}`);
  return parseAnswer(text);
}

export function parseAnswer(text: string): RawAnswer {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [statusLine = "", ...fields] = head.split("\r\n");
  const headers = Object.fromEntries(
    fields.map((field) => [field.split(":", 1)[0]!.toLowerCase(), field.slice(field.indexOf(":") + 1).trim()]),
  );
  return { status: Number(statusLine.split(" ")[1]), headers, body: rest.join("\r\n\r\n") };
}

/** The answers to requests that were sent in a row, each with its length. */
export function parseAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = text; rest !== ""; ) {
    const answer = parseAnswer(rest);
    const length = Number(answer.headers["content-length"]);
    if (Number.isNaN(length)) throw new Error(`an answer without a length: ${rest.slice(0, 300)}`);
    answers.push({ ...answer, body: answer.body.slice(0, length) });
    rest = rest.slice(rest.indexOf("\r\n\r\n") + 4 + length);
  }
  return answers;
}
