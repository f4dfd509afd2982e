import { type RouteId, type RuntimeRouteId, routes, runtimeRoutes } from "@sandbox-agent-ts/protocol";
import type { Action } from "./may.ts";

/**
 * What each operation of `/v1` is an action of. A route that is not here does not compile, and whoever adds one says in
 * `gateway/access-matrix.e2e.test.ts` who may use it.
 */
const routeActions: Readonly<Record<RouteId, Action>> = {
  getServerInfo: "agents:read",
  getOpenApi: "agents:read",
  getHealth: "runtime:observe",
  listAgents: "agents:read",
  installAgent: "agents:install",
  getAgentModes: "agents:read",
  getAgentModels: "agents:read",
  listSessions: "sessions:list",
  getSessionListSse: "sessions:list",
  createSession: "sessions:create",
  getSession: "session:read",
  updateSession: "session:write",
  deleteSession: "session:manage",
  postMessage: "session:write",
  postMessageStream: "session:write",
  listTurns: "session:read",
  withdrawTurn: "session:write",
  interruptSession: "session:write",
  terminateSession: "session:manage",
  getEvents: "session:read",
  getEventsSse: "session:read",
  getDiff: "session:read",
  replyQuestion: "session:write",
  rejectQuestion: "session:write",
  replyPermission: "session:write",
  listFsEntries: "session:read",
  readFsFile: "session:read",
  writeFsFile: "session:write",
  deleteFsEntry: "session:write",
  mkdirFs: "session:write",
  moveFs: "session:write",
  statFs: "session:read",
  uploadFsBatch: "session:write",
  deleteFsBatch: "session:write",
  getFsManifest: "session:read",
  packFs: "session:read",
  getFsChangesSse: "session:read",
};

/** The same for `/api`. */
const runtimeActions: Readonly<Record<RuntimeRouteId, Action>> = {
  listRuntimeSessions: "sessions:list",
  createRuntimeSession: "sessions:create",
  getRuntimeSession: "session:read",
  updateRuntimeSession: "session:write",
  deleteRuntimeSession: "session:manage",
  postRuntimeMessage: "session:write",
  interruptRuntimeSession: "session:write",
  getRuntimeSessionOptions: "session:read",
  updateRuntimeSessionOptions: "session:write",
  unloadRuntimeSession: "session:manage",
  syncRuntimeSession: "session:write",
  terminateRuntimeSandbox: "session:manage",
  answerRuntimePermission: "session:write",
  answerRuntimeQuestion: "session:write",
  listRuntimeFiles: "session:read",
  readRuntimeFile: "session:read",
  listProfiles: "profiles:read",
  getProfile: "profiles:read",
  putProfile: "profiles:write",
  deleteProfile: "profiles:write",
  listCheckpoints: "session:read",
  packCheckpoint: "session:read",
  diffCheckpoints: "session:read",
  createSessionToken: "session:manage",
  getRuntimeUsage: "runtime:observe",
  listAuditEntries: "runtime:admin",
  getRuntimeOpenApi: "agents:read",
};

/** An operation that a runtime serves, and what it is an action of. */
export interface GuardedRoute {
  readonly method: string;
  /** With `{parameters}`. */
  readonly path: string;
  readonly action: Action;
}

/** What no table has an entry for. */
const ownRoutes: readonly GuardedRoute[] = [{ method: "GET", path: "/metrics", action: "runtime:observe" }];

/** Every operation of a runtime. */
export const guardedRoutes: readonly GuardedRoute[] = [
  ...routes.map(({ id, method, path }) => ({ method, path, action: routeActions[id] })),
  ...runtimeRoutes.map(({ id, method, path }) => ({ method, path, action: runtimeActions[id] })),
  ...ownRoutes,
];
