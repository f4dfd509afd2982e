/**
 * A reader of one agent's lines: which kind of message a line is, and the part of it that the schema of that kind is about.
 * `undefined` for what is no message of the agent: other text, what we said, errors.
 */
export function messageReader(schema) {
  return readers[schema]();
}

const readers = {
  acp: () => jsonRpcReader({ finer: ({ update }) => update?.sessionUpdate, lastAnswer: "session/prompt" }),
  codex: () => jsonRpcReader({}),
  opencode: () => (line) => {
    const payload = parse(line)?.payload;
    const isCopy = payload?.type === "sync";
    return typeof payload?.type === "string" && !isCopy ? { kind: payload.type, value: payload } : undefined;
  },
  amp: () => typedLine,
  claude: () => typedLine,
};

function typedLine(line) {
  const value = parse(line);
  if (typeof value?.type !== "string") return undefined;
  const finer = value.subtype ?? value.event?.type ?? value.request?.subtype ?? value.response?.subtype;
  return { kind: typeof finer === "string" ? `${value.type}/${finer}` : value.type, value };
}

/** What it answers is told by what it was asked; a recording of what it said alone ends with `lastAnswer`. */
function jsonRpcReader({ finer = () => undefined, lastAnswer }) {
  const asked = new Map();
  return (line, { from = "agent", process = 0 } = {}) => {
    const message = parse(line);
    if (message === undefined) return undefined;
    const { id, method, params, result } = message;
    const key = JSON.stringify([process, id]);
    if (from === "us") {
      if (typeof method === "string" && id !== undefined) asked.set(key, method);
      return undefined;
    }
    if (typeof method === "string") {
      const word = finer(params ?? {});
      return { kind: word === undefined ? method : `${method} ${word}`, value: params ?? {} };
    }
    const answered = asked.get(key) ?? lastAnswer;
    return result === undefined || answered === undefined ? undefined : { kind: `reply ${answered}`, value: result };
  };
}

function parse(line) {
  try {
    const value = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
