import { type Json, string } from "../dialects/json.ts";
import type { AmpThread } from "./amp-thread.ts";

type Answer = (thread: AmpThread | undefined, params: Json) => Json | readonly Json[] | undefined;
type Threads = ReadonlyMap<string, AmpThread>;

const user = { id: "user-scripted", email: "scripted@example.com", features: [], team: null };

/** `POST /api/internal`: small questions of the program, each a method with parameters. */
export function internalAnswer(threads: Threads, method: string, params: Json): Json {
  const thread = threads.get(string(params.thread));
  const answer = methods[method];
  if (answer === undefined) return { ok: true, result: {} };
  const result = answer(thread, params);
  return result === undefined ? missing : { ok: true, result };
}

const missing = { ok: false, error: { code: "thread-not-found", message: "Thread not found" } };

const methods: Readonly<Record<string, Answer>> = {
  getUserInfo: () => user,
  loadPlugins: () => [],
  loadSkills: () => ({ sources: [] }),
  getThreadProject: () => ({ project: null }),
  getThreadTail: (thread) => thread && threadTail(thread),
  archiveThread(thread, { archived }) {
    if (thread) thread.isArchived = archived !== false;
    return thread && {};
  },
};

function threadTail({ id, version, agentMode, isArchived, messages }: AmpThread): Json {
  const data = {
    id,
    v: version,
    created: 0,
    agentMode,
    meta: { visibility: "private", sharedGroupIDs: [], usesThreadActors: true },
    env: {},
    ...(isArchived ? { archived: true } : {}),
  };
  return { thread: { data }, messages, hasMoreBefore: false };
}
