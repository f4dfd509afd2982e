import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Logger } from "@sandbox-agent-ts/server";
import { Access, type Authenticate } from "./access/access.ts";
import { ApiKeys } from "./access/api-keys.ts";
import { AuditLog, type AuditOptions } from "./access/audit-log.ts";
import { type QuotaOptions, Quotas } from "./access/quotas.ts";
import { resealSecrets } from "./access/reseal-secrets.ts";
import { SecretBox } from "./access/secret-box.ts";
import { SessionTokens } from "./access/session-tokens.ts";
import { AgentCatalog } from "./agents/agent-catalog.ts";
import { EventBus } from "./events/event-bus.ts";
import { RuntimeMetrics } from "./metrics/runtime-metrics.ts";
import type { PersistedSessionListData, PersistenceAdapter } from "./persistence/persistence-adapter.ts";
import { SessionPersistence } from "./persistence/session-persistence.ts";
import { Profiles } from "./profiles/profiles.ts";
import { Recurring } from "./recurring.ts";
import { bundleFile } from "./sandboxes/agent-sandbox.ts";
import { boundedProvider } from "./sandboxes/bounded-provider.ts";
import { FormerProviders } from "./sandboxes/former-providers.ts";
import { reapSandboxes } from "./sandboxes/reaper.ts";
import type { SandboxProvider } from "./sandboxes/sandbox-provider.ts";
import { type PoolOptions, WarmSandboxes } from "./sandboxes/warm-sandboxes.ts";
import { defaultLimits, type RuntimeLimits, withLifeThatIsLongEnough } from "./sessions/runtime-deps.ts";
import { SessionLogs } from "./sessions/session-logs.ts";
import { SessionManager } from "./sessions/session-manager.ts";
import { defaultOwner } from "./sessions/session-request.ts";
import { settledWithin } from "./settled-within.ts";
import type { CheckpointStore } from "./store/checkpoint-store.ts";
import { isWarm, type RuntimeStore } from "./store/runtime-store.ts";
import { sweepContents } from "./workspace/sweep-contents.ts";

export interface AgentRuntimeConfig {
  /** Closed with the runtime. */
  readonly store: RuntimeStore;
  /** Disposed of with the runtime. */
  readonly provider: SandboxProvider;
  /** What made sandboxes for this store before and does so no more: what is left at them is ended. Disposed of when that is done. */
  readonly formerProviders?: readonly SandboxProvider[] | undefined;
  /** The directory of the CLI's bundle: the daemon that runs in every sandbox. */
  readonly bundle: string;
  /** What is started as the daemon outside of sandboxes that knows the agents. Default: the bundle's file. */
  readonly daemonProgram?: string | undefined;
  /** Where agents' programs are installed for all sandboxes. */
  readonly programsDir: string;
  /** Seals the tokens of sandboxes in the store and signs session tokens; the same for every start. */
  readonly secretKey: string;
  /** Those that were the secret key before: what they sealed is sealed anew at the start, then they are needed no more. */
  readonly oldSecretKeys?: readonly string[] | undefined;
  /** How much principals may have. Default: as much as they like. */
  readonly quotas?: QuotaOptions | undefined;
  readonly audit?: AuditOptions | undefined;
  /** The application's own sign-in, beside API keys and session tokens. */
  readonly authenticate?: Authenticate | undefined;
  /** What sandboxes, and so their agents, find in their environment, e.g. the keys of models. */
  readonly agentEnv?: Readonly<Record<string, string>> | undefined;
  /**
   * Who holds leases, the same after a restart: where a store lets one runtime in at a time, it goes on at once with what it
   * had before. Default: another with each start, for stores that many share.
   */
  readonly owner?: string | undefined;
  readonly log?: Logger | undefined;
  readonly limits?: Partial<RuntimeLimits> | undefined;
  /** Sandboxes that are made before a session needs them. Default: none. */
  readonly pool?: PoolOptions | undefined;
  /** A folder with a profile in each of its folders; what changes in them is a new version. */
  readonly profilesDir?: string | undefined;
  /** The application's own storage: records, transcripts and files go there too, and sessions that only it knows are served. */
  readonly persistence?: PersistenceAdapter | undefined;
  /** Whose a session is that only `persistence` knows. Default: `application`. */
  readonly ownerOfPersisted?: ((session: PersistedSessionListData) => string) | undefined;
  /** How long unloading a session waits for `persistence`. Default: 10 seconds. */
  readonly persistenceTimeoutMs?: number | undefined;
}

/** A running backend that runs agents in sandboxes. */
export interface AgentRuntime {
  readonly sessions: SessionManager;
  readonly profiles: Profiles;
  readonly events: EventBus;
  readonly keys: ApiKeys;
  /** Who comes in. */
  readonly access: Access;
  /** Who did what. */
  readonly audit: AuditLog;
  readonly quotas: Quotas;
  readonly store: RuntimeStore;
  readonly catalog: AgentCatalog;
  readonly metrics: RuntimeMetrics;
  readonly warm: WarmSandboxes;
  readonly checkpoints: CheckpointStore;
  readonly log: Logger;
  /** Let go of everything. Sandboxes and the turns in them go on; the next runtime finds them again. Idempotent. */
  close(): Promise<void>;
}

/** Between two looks for contents of files that no checkpoint has any more. */
const sweepIntervalMs = 60 * 60_000;
/** A provider that does not answer does not keep a runtime from starting. */
const firstLookMs = 5_000;

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Bring a runtime up, and go on with what an earlier one left: sandboxes that run, turns that wait. */
export async function createAgentRuntime(config: AgentRuntimeConfig): Promise<AgentRuntime> {
  const { store, bundle, log = silent, agentEnv = {} } = config;
  const limits = withLifeThatIsLongEnough({ ...defaultLimits, ...config.limits });
  const provider = boundedProvider(config.provider, limits);
  const secrets = new SecretBox(config.secretKey, config.oldSecretKeys);
  if (config.oldSecretKeys?.length) {
    const count = await resealSecrets(store, secrets);
    log.info({ count }, "secrets were sealed anew; older secret keys are needed no more");
  }
  const events = new EventBus((err) => log.error({ err }, "a listener failed"));
  const catalog = new AgentCatalog({
    program: config.daemonProgram ?? join(bundle, bundleFile),
    dataDir: config.programsDir,
    env: agentEnv,
  });
  const metrics = new RuntimeMetrics();
  const persistence = persistenceOf(config, log);
  const profiles = new Profiles({ store, secrets, directory: config.profilesDir, application: persistence });
  const deps = {
    owner: config.owner ?? `${hostname()}-${process.pid}-${randomBytes(4).toString("hex")}`,
    store,
    provider,
    secrets,
    profiles,
    quotas: new Quotas(store, config.quotas),
    catalog,
    bus: events,
    logs: new SessionLogs(store),
    log,
    metrics,
    bundle,
    agentEnv,
    limits,
  };
  const warm = new WarmSandboxes(deps, config.pool ?? { size: 0 });
  const sessions = new SessionManager({ ...deps, warm, persistence });
  metrics.watch({
    loadedSessions: () => sessions.loadedCount,
    sandboxStatuses: () => sessions.sandboxStatuses(),
    warmSandboxes: async () => (await store.sandboxes()).filter(isWarm).length,
  });
  const lookAfterSandboxes = async () => {
    const { startTimeoutMs } = deps.limits;
    try {
      await reapSandboxes({ store, provider, log, startTimeoutMs, graceMs: deps.limits.reapGraceMs });
      await warm.tend();
    } catch (err) {
      log.error({ err }, "sandboxes that nobody uses could not be looked after");
    }
  };
  const formers = new FormerProviders({
    store,
    log,
    providers: (config.formerProviders ?? []).map((former) => boundedProvider(former, limits)),
  });
  const firstLook = lookAfterSandboxes();
  await settledWithin(firstLook, firstLookMs);
  await sessions.recover();
  const clearing = formers.clear();
  await settledWithin(clearing, firstLookMs);
  const sweeping = new Recurring(() => sweepContents(store.checkpoints, log), sweepIntervalMs);
  const reaping = new Recurring(async () => {
    await lookAfterSandboxes();
    await clearing;
    await formers.clear();
  }, deps.limits.reapIntervalMs);
  const keys = new ApiKeys(store);
  const tokens = new SessionTokens(config.secretKey);
  const access = new Access({ keys, tokens, authenticate: config.authenticate });
  const audit = new AuditLog(store, log, config.audit);
  let closed: Promise<void> | undefined;
  const close = async () => {
    await firstLook;
    await clearing;
    await reaping.stop();
    await formers.close();
    await sweeping.stop();
    await warm.close();
    await sessions.close();
    await catalog.close();
    await provider.dispose().catch((err: unknown) => log.error({ err }, "the provider of sandboxes was left as it is"));
    await audit.close();
    await store.close();
  };
  return {
    sessions,
    profiles,
    events,
    keys,
    access,
    audit,
    quotas: deps.quotas,
    store,
    catalog,
    metrics,
    warm,
    checkpoints: store.checkpoints,
    log,
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

function persistenceOf(
  { persistence: adapter, ownerOfPersisted, persistenceTimeoutMs, store }: AgentRuntimeConfig,
  log: Logger,
): SessionPersistence | undefined {
  const ownerOf = ownerOfPersisted ?? (() => defaultOwner);
  return adapter && new SessionPersistence({ adapter, store, log, ownerOf, patienceMs: persistenceTimeoutMs });
}
