import type { CodexState } from "./convert/codex-state.ts";
import type { AppServer } from "./server/app-server.ts";

/** An interrupt may never be answered; what counts is that the turn ends. */
const INTERRUPT_TIMEOUT_MS = 2_000;
const CLEAN_TIMEOUT_MS = 2_000;

/** `interrupted` are the turns that were: doing so twice is never answered. */
export async function interruptTurns(
  server: AppServer | undefined,
  { activeTurns }: CodexState,
  interrupted: Set<string>,
): Promise<void> {
  const turns = [...activeTurns].filter(([, turnId]) => !interrupted.has(turnId));
  const options = { timeoutMs: INTERRUPT_TIMEOUT_MS };
  await Promise.allSettled(
    turns.map(([threadId, turnId]) => {
      interrupted.add(turnId);
      return server?.request("turn/interrupt", { threadId, turnId }, options);
    }),
  );
}

/** An interrupt leaves commands running in the background, those of subagents too. */
export async function endShells(server: AppServer, threadId: string, { parents }: CodexState): Promise<void> {
  const options = { timeoutMs: CLEAN_TIMEOUT_MS };
  const threads = [threadId, ...parents.keys()];
  await Promise.allSettled(
    threads.map((id) => server.request("thread/backgroundTerminals/clean", { threadId: id }, options)),
  );
}
