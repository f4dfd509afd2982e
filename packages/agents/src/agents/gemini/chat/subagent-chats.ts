import { dirname, join } from "node:path";
import { readRegularText } from "../../../files/read-regular-file.ts";
import { chatFiles, list } from "./chat-files.ts";
import type { ChatMessage, ChatToolCall } from "./chat-record.ts";
import { chatSteps } from "./chat-steps.ts";
import { replayChat } from "./replay-chat.ts";

/** What the subagents of a conversation did: `chats/<id of the conversation>/<id of the subagent>.jsonl`. */
export class SubagentChats {
  readonly #directory: string;
  readonly #sessionId: string;
  readonly #taken = new Set<string>();

  constructor(directory: string, sessionId: string) {
    this.#directory = directory;
    this.#sessionId = sessionId;
  }

  /** The one that this call started: it was asked what the call says, and no other call has it. */
  async take({ args }: ChatToolCall): Promise<readonly ChatMessage[]> {
    const { prompt } = (args ?? {}) as { prompt?: string };
    for (const file of await this.#files()) {
      if (this.#taken.has(file)) continue;
      const { messages } = replayChat(await readRegularText(file).catch(() => ""));
      const [first] = chatSteps(messages);
      if (first?.type !== "said" || first.text !== prompt) continue;
      this.#taken.add(file);
      return messages;
    }
    return [];
  }

  async #files(): Promise<string[]> {
    const mains = await chatFiles(this.#directory, this.#sessionId);
    const folders = [...new Set(mains.map((main) => join(dirname(main), this.#sessionId)))];
    const names = await Promise.all(
      folders.map(async (folder) => (await list(folder)).map((name) => join(folder, name))),
    );
    return names.flat().filter((name) => name.endsWith(".jsonl"));
  }
}
