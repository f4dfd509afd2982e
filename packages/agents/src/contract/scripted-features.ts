import type { AgentScenario, Provocation, ProvokingMessage, Skipped } from "./agent-scenario.ts";
import { mcpServerConfig, pixel, skillDescription, skillsConfig } from "./contract-fixtures.ts";
import type { ModelStep } from "./model-script.ts";
import type { ScriptedTools, Tool } from "./scripted-tools.ts";

/** Long enough that a test never sees its end. */
const LONG_COMMAND = "echo begun; sleep 300";
const HUGE_OUTPUT_BYTES = 20_000_000;
const PIECE_DELAY_MS = 20;

const unasked = { permissionMode: "bypass" } as const;
const planning = { agentMode: "plan", permissionMode: "plan" } as const;

const numbers = Array.from({ length: 200 }, (_, n) => `${n} `);
const unicodePieces = ["né", "€", "😀", "👩", "\u200d", "👩", "\u200d", "👧", "e", "\u0301", "한", "글 ", "\u{10ffff}"];
const unicodeText = Array.from({ length: 500 }, () => unicodePieces).flat();

const questions = [
  { header: "Colour", prompt: "Which colour should it have?", options: ["Blue", "Red"], multiSelect: false },
  { header: "Places", prompt: "Where should it appear?", options: ["Header", "Footer"], multiSelect: true },
];

/**
 * The provocations of an agent whose model is scripted, from its tools and the name of a model that is not its default:
 * all but `sessionEnd`, which no model can cause.
 */
export function scriptedFeatures(
  tools: ScriptedTools,
  otherModel: string,
): Omit<AgentScenario["provoke"], "sessionEnd"> {
  return {
    ...turns(tools),
    ...toolUses(tools),
    ...requests(tools),
    ...input(otherModel),
    ...stopping(tools),
    ...sessions(),
    ...failures,
  };
}

function turns({ noteTodos }: ScriptedTools) {
  return {
    text: {
      message: "Greet the reader.",
      script: [{ text: "Good morning, reader." }],
      replies: "Good morning, reader.",
    },
    deltas: {
      message: "Count to twenty.",
      script: [{ text: numbers.slice(0, 20) }],
      replies: numbers.slice(0, 20).join("").trim(),
    },
    reasoning: {
      message: "Think first.",
      script: [{ reasoning: "Let me weigh both sides.", text: "Weighed." }],
      replies: "Weighed.",
    },
    memory: { message: "My name is Ada Lovelace.", script: [{ text: "Noted, Ada." }], replies: "Noted, Ada." },
    unicode: { message: "Write all scripts.", script: [{ text: unicodeText }], replies: unicodeText.join("") },
    usage: {
      message: "How much is this?",
      script: [{ text: "Little.", usage: { input: 1234, output: 56 } }],
      usage: { input: 1234, output: 56 },
    },
    status: using(noteTodos, (note) => ({
      message: "Make a list.",
      session: unasked,
      script: [...note(["Measure", "Cut"]), { text: "Listed." }],
    })),
  } satisfies Record<string, Provocation>;
}

function toolUses(tools: ScriptedTools) {
  return {
    toolCall: using(tools.readFile, (read) => ({
      message: "Read the poem.",
      files: { "poem.txt": "The fog comes on little cat feet.\n" },
      session: unasked,
      script: [...read("poem.txt"), { text: "A fine poem." }],
      results: "little cat feet",
    })),
    command: shell(
      tools,
      "Say hello in the shell.",
      "echo hello from the $((1 + 1))nd shell",
      "hello from the 2nd shell",
    ),
    failedCommand: shell(tools, "Fail in the shell.", "echo it broke >&2; exit 3", "it broke"),
    hugeOutput: shell(tools, "Print very much.", `head -c ${HUGE_OUTPUT_BYTES} /dev/zero | tr '\\0' x; echo`, "xxxx"),
    fileWrite: using(tools.writeFile, (write) => ({
      message: "Write a note.",
      session: unasked,
      script: [...write("note.txt", "first line\nsecond line\n"), { text: "Written." }],
      leaves: { "note.txt": "first line\nsecond line\n" },
    })),
    fileEdit: using(tools.editFile, (edit) => ({
      message: "Correct the letter.",
      files: { "letter.txt": "Dear Ada,\nyou are rong.\nYours\n" },
      session: unasked,
      script: [...edit("letter.txt", "you are rong.", "you are right."), { text: "Corrected." }],
      leaves: { "letter.txt": "Dear Ada,\nyou are right.\nYours\n" },
    })),
    image: using(tools.showImage, (show) => ({
      message: "Show the picture.",
      files: { "picture.png": pixel },
      session: unasked,
      script: [...show("picture.png"), { text: "A dot." }],
    })),
    subagent: using(tools.startSubagent, (start) => ({
      message: "Ask somebody else.",
      session: unasked,
      script: [...start("Count the lighthouses."), { text: "They counted." }],
      asides: [
        {
          name: "subagent",
          when: { prompt: "Count the lighthouses." },
          steps: [...steps(tools.shell, "echo three lighthouses"), { text: "Three." }],
        },
      ],
    })),
    mcpTool: using(tools.callMcpTool, (call) => ({
      message: "Shout it.",
      session: { ...unasked, mcp: { contract: mcpServerConfig } },
      script: [...call("contract", "shout", { text: "ahoy" }), { text: "Shouted." }],
      results: "AHOY",
    })),
    skill: {
      message: "What are you good at?",
      session: { skills: skillsConfig },
      script: [{ text: "Lighthouses." }],
      modelSees: skillDescription,
    },
  } satisfies Record<string, Provocation>;
}

function requests({ shellThatAsks, writeFile, ask, proposePlan }: ScriptedTools) {
  const touch = (message: string, file: string) =>
    using(shellThatAsks, (shell) => ({
      message,
      script: [...shell(`touch ${file}`), { text: "So be it." }],
      creates: file,
    }));
  const asking = (message: string) =>
    using(ask, (call) => ({
      message,
      script: [...call(questions), { text: "As you wish." }],
      replies: "As you wish.",
    }));
  const plan = (message: string) =>
    using(proposePlan, (propose) => ({
      message,
      session: planning,
      script: [...propose("1. Build the lighthouse of Alexandria."), { text: "Understood." }],
      asks: "lighthouse of Alexandria",
      replies: "Understood.",
    }));
  return {
    permissionOnce: touch("Make a file, if I may.", "once"),
    permissionAlways: touch("Make a file, as always.", "always"),
    permissionReject: touch("Make a file, if you dare.", "rejected"),
    bypass: withSession(touch("Make a file, whatever I say.", "bypassed"), unasked),
    questionAnswer: asking("Ask what I like."),
    questionReject: asking("Ask what I dislike."),
    planReadOnly: using(writeFile, (write) => ({
      message: "Build without a plan.",
      session: planning,
      script: [...write("unplanned.txt", "too early\n"), { text: "Not yet, then." }],
      creates: "unplanned.txt",
    })),
    planApprove: plan("Plan a lighthouse."),
    planReject: plan("Plan another lighthouse."),
  } satisfies Record<string, Provocation>;
}

function input(otherModel: string) {
  return {
    systemPrompt: {
      message: "Who are you?",
      session: { systemPrompt: "You are the keeper of the Pharos." },
      script: [{ text: "The keeper." }],
      modelSees: "keeper of the Pharos",
    },
    model: {
      message: "Which model are you?",
      session: { model: otherModel },
      script: [{ text: "The one you named." }],
      modelSees: otherModel,
    },
    imageAttachment: {
      message: "What is in this picture?",
      files: { "dot.png": pixel },
      attach: [{ file: "dot.png", mime: "image/png" }],
      script: [{ text: "A dot, I see." }],
      replies: "A dot, I see.",
    },
    fileAttachment: {
      message: "What is in this file?",
      files: { "attached.txt": "The keeper sleeps at noon.\n" },
      attach: [{ file: "attached.txt", mime: "text/plain" }],
      script: [{ text: "A secret." }],
      modelSees: "attached.txt",
    },
  } satisfies Record<string, Provocation>;
}

function stopping({ shell, shellThatAsks, ask }: ScriptedTools) {
  const command = (message: string) =>
    using(shell, (run) => ({
      message,
      session: unasked,
      script: [...run(LONG_COMMAND), { text: "At last." }],
      runs: "sleep 300",
    }));
  return {
    interruptText: { message: "Count slowly.", script: [{ text: numbers, delayMs: { between: PIECE_DELAY_MS } }] },
    interruptTool: command("Sleep for long."),
    interruptPermission: using(shellThatAsks, (run) => ({
      message: "Ask me, and I do not answer.",
      script: [...run("touch unanswered"), { text: "Thank you." }],
      creates: "unanswered",
    })),
    interruptQuestion: using(ask, (call) => ({
      message: "Question me.",
      script: [...call(questions), { text: "Thanks." }],
    })),
    interruptHang: { message: "Say nothing.", script: [{ text: ["Well", " …"], hang: 1 }] },
    closeText: { message: "Count in vain.", script: [{ text: numbers, delayMs: { between: PIECE_DELAY_MS } }] },
    closeTool: command("Sleep until the end."),
  } satisfies Record<string, Provocation>;
}

function sessions() {
  const count = (what: string): ProvokingMessage => ({
    message: `Count the ${what}.`,
    script: [{ text: numbers.slice(0, 30).map((n) => `${what}-${n}`), delayMs: { between: PIECE_DELAY_MS } }],
    replies: `${what}-29`,
  });
  const remember = (message: string, reply: string) => ({ message, script: [{ text: reply }], replies: reply });
  return {
    twoSessions: { ...count("apples"), other: count("pears") },
    resume: remember("Remember the harbour.", "The harbour it is."),
    killedIdle: remember("Remember the storm.", "The storm it is."),
    killedBusy: { message: "Count until you die.", script: [{ text: numbers, delayMs: { between: PIECE_DELAY_MS } }] },
  } satisfies Record<string, Provocation>;
}

/** What passes is tried again by most agents; what does not is reported at once. */
const failures = {
  error: failing("Cause an error.", { status: 400, message: "This request is not to my liking." }),
  wrongKey: failing("Use the wrong key.", { status: 401, message: "invalid x-api-key" }),
  unknownModel: {
    ...failing("Use a model that is not there.", { status: 404, message: "model: no-such-model" }),
    session: { model: "no-such-model" },
  },
  rateLimit: passing("Ask too often.", { error: { status: 429, retryAfterSeconds: 0 } }),
  serverError: passing("Break the server.", { error: { status: 500 } }),
  cutStream: passing("Cut the stream.", { text: ["It was a dark ", "and stormy night"], cut: 1 }),
} satisfies Record<string, ProvokingMessage>;

function failing(message: string, error: NonNullable<ModelStep["error"]>): ProvokingMessage {
  return { message, script: [{ error, repeat: "forever" }], ends: "error" };
}

function passing(message: string, first: ModelStep): ProvokingMessage {
  return { message, script: [first, { text: "Here I am again." }], ends: "completed", replies: "Here I am again." };
}

function shell({ shell }: ScriptedTools, message: string, command: string, results: string): Provocation {
  return using(shell, (run) => ({
    message,
    session: unasked,
    script: [...run(command), { text: "Ran it." }],
    results,
  }));
}

function using<Args extends unknown[]>(
  tool: Tool<Args>,
  provoke: (call: (...args: Args) => ModelStep[]) => ProvokingMessage,
): Provocation {
  return isSkipped(tool) ? tool : provoke(tool);
}

function steps<Args extends unknown[]>(tool: Tool<Args>, ...args: Args): ModelStep[] {
  return isSkipped(tool) ? [] : tool(...args);
}

function withSession(provocation: Provocation, session: ProvokingMessage["session"]): Provocation {
  return "skip" in provocation ? provocation : { ...provocation, ...(session ? { session } : {}) };
}

function isSkipped(tool: Skipped | ((...args: never[]) => unknown)): tool is Skipped {
  return typeof tool === "object";
}
