import type { SandboxAgent, SessionInfo } from "@sandbox-agent-ts/sdk";
import { costText, usageText } from "../output/number-text.ts";
import type { Output } from "../output/output.ts";
import { showChanges } from "./changes.ts";

export interface ChatState {
  readonly client: SandboxAgent;
  readonly out: Output;
  sessionId: string;
  /** Begin another conversation with the same agent and directory. */
  startNew(): Promise<void>;
  /** Go on with another session; says why not when there is none of that id. */
  resume(sessionId: string): Promise<void>;
}

interface SlashCommand {
  readonly words: string;
  readonly help: string;
  /** Resolves with true when the chat is over. */
  run(chat: ChatState, argument: string): Promise<unknown>;
}

const SHOWN_SESSIONS = 15;

const commands: Readonly<Record<string, SlashCommand>> = {
  help: {
    words: "/help",
    help: "this list",
    run: ({ out }) => out.line(helpText(out)),
  },
  diff: {
    words: "/diff",
    help: "what changed since the conversation began",
    run: ({ client, out, sessionId }) => showChanges(client, out, sessionId),
  },
  cost: {
    words: "/cost",
    help: "tokens and cost of all turns",
    run: async ({ client, out, sessionId }) => out.line(costLine(await client.getSession(sessionId))),
  },
  model: {
    words: "/model [model]",
    help: "the models, or change to one",
    run: async ({ client, out, sessionId }, model) => {
      if (model === "") return listModels(client, out, sessionId);
      await client.updateSession(sessionId, { model });
      await out.line(`The next turn uses ${model}.`);
    },
  },
  permissions: {
    words: "/permissions [mode]",
    help: "default, plan, acceptEdits or bypass",
    run: async ({ client, out, sessionId }, mode) => {
      if (mode !== "") await client.updateSession(sessionId, { permissionMode: mode as SessionInfo["permissionMode"] });
      const { permissionMode } = await client.getSession(sessionId);
      await out.line(`Permission mode: ${permissionMode}.`);
    },
  },
  mode: {
    words: "/mode [mode]",
    help: "the agent's modes, or change to one",
    run: async ({ client, out, sessionId }, mode) => {
      if (mode !== "") await client.updateSession(sessionId, { agentMode: mode });
      const { agent, agentMode } = await client.getSession(sessionId);
      const { modes } = await client.getAgentModes(agent);
      const lines = modes.map(({ id, description }) => `${id === agentMode ? "*" : " "} ${id}  ${description}`);
      await out.line(lines.join("\n"));
    },
  },
  rename: {
    words: "/rename <title>",
    help: "give the conversation a title",
    run: async ({ client, out, sessionId }, title) => {
      await client.renameSession(sessionId, { title });
      await out.line(`Renamed to ${title}.`);
    },
  },
  sessions: {
    words: "/sessions",
    help: "the latest conversations",
    run: async ({ client, out }) => {
      const { sessions } = await client.listSessions();
      const rows = sessions
        .slice(0, SHOWN_SESSIONS)
        .map((session) => [
          session.sessionId,
          session.agent,
          session.problem ? "problem" : session.status,
          out.moment(session.updatedAt),
          session.title ?? "",
        ]);
      await out.table(["session", "agent", "status", "changed", { title: "title", shrink: "end" }], rows);
    },
  },
  resume: {
    words: "/resume <session>",
    help: "go on with another conversation",
    run: (chat, sessionId) => chat.resume(sessionId),
  },
  new: {
    words: "/new",
    help: "begin another conversation",
    run: (chat) => chat.startNew(),
  },
  quit: {
    words: "/quit",
    help: "leave; the conversation can be resumed",
    run: async () => true,
  },
};

const aliases: Readonly<Record<string, string>> = { exit: "quit", q: "quit", usage: "cost", "?": "help" };

/** Whether a line is a command of the chat. `//` in front is for the agent's own commands. */
export const isSlashCommand = (line: string): boolean => /^\/(?!\/)/.test(line);

/** What the agent gets of a line: `//compact` is `/compact`. */
export const messageOf = (line: string): string => (line.startsWith("//") ? line.slice(1) : line);

/** Run a command; answers whether the chat is over. What goes wrong is said and the chat goes on. */
export async function runSlashCommand(chat: ChatState, line: string): Promise<boolean> {
  const [, name = "", argument = ""] = /^\/(\S*)\s*(.*)$/s.exec(line.trim()) ?? [];
  const command = commands[aliases[name] ?? name];
  if (!command) {
    await chat.out.line(`There is no command /${name}. /help lists them; //${name} is sent to the agent.`);
    return false;
  }
  try {
    if (command.words.includes("<") && argument === "") throw new Error(`Use it as ${command.words}.`);
    return (await command.run(chat, argument)) === true;
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error);
    await chat.out.line(chat.out.paint("red", chat.out.wrapped(sentence)));
    return false;
  }
}

/** What Tab offers. */
export function completeSlashCommand(line: string): string[] {
  if (!isSlashCommand(line)) return [];
  return Object.keys(commands)
    .map((name) => `/${name}`)
    .filter((name) => name.startsWith(line));
}

function helpText(out: Output): string {
  const { paint } = out;
  const lines = Object.values(commands).map(({ words, help }) => `  ${words.padEnd(20)} ${paint("dim", help)}`);
  const keys =
    "Esc or Ctrl-C stops a turn, Ctrl-D leaves. A line that ends in \\ goes on. // sends a / command to the agent.";
  return [...lines, paint("dim", out.wrapped(keys))].join("\n");
}

function costLine({ usage, cost }: SessionInfo): string {
  const parts = [...(usage ? [usageText(usage)] : []), ...(cost ? [costText(cost)] : [])];
  return parts.length === 0 ? "The agent has not told any usage yet." : parts.join(" · ");
}

async function listModels(client: SandboxAgent, out: Output, sessionId: string): Promise<void> {
  const { agent, model } = await client.getSession(sessionId);
  const { models, defaultModel } = await client.getAgentModels(agent);
  const now = model ?? defaultModel;
  await out.line(models.map(({ id }) => `${id === now ? "*" : " "} ${id}`).join("\n") || "The agent lists no models.");
}
