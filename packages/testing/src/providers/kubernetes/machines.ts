import type { Box } from "../box/box.ts";
import type { Ledger, LedgerEnd } from "../ledger.ts";
import { type KubeObject, type Plural, resources } from "./kube-object.ts";
import type { ObjectStore } from "./object-store.ts";

/** What may be the uppermost object of a machine, or hold its disk. */
const holders: readonly Plural[] = ["sandboxclaims", "sandboxes", "persistentvolumeclaims", "pods"];

/**
 * Objects as machines: a pod, its volume, the Sandbox that made both and the SandboxClaim that took it are one, under the name
 * of the uppermost. What waits in a warm pool is nobody's machine yet. Keeps the books of them.
 */
export class Machines {
  readonly #store: ObjectStore;
  readonly #ledger: Ledger;
  readonly #boxOf: (object: KubeObject) => Box | undefined;
  readonly #causes = new Map<string, LedgerEnd>();
  readonly #known = new Map<string, boolean>();

  constructor(store: ObjectStore, ledger: Ledger, boxOf: (object: KubeObject) => Box | undefined) {
    this.#store = store;
    this.#ledger = ledger;
    this.#boxOf = boxOf;
    store.listen(() => this.refresh());
  }

  /** By the name of the uppermost object. */
  get boxes(): ReadonlyMap<string, Box> {
    const boxes = new Map<string, Box>();
    for (const object of this.#objects()) {
      const box = this.#boxOf(object);
      const id = this.idOf(object);
      if (box !== undefined && id !== undefined) boxes.set(id, box);
    }
    return boxes;
  }

  idOf(object: KubeObject): string | undefined {
    const owner = object.metadata.ownerReferences?.[0];
    if (owner === undefined) return object.metadata.name;
    const { plural } = resources.find(({ kind }) => kind === owner.kind) ?? {};
    if (plural === "sandboxwarmpools") return undefined;
    const found = plural && this.#store.find(plural, object.metadata.namespace!, owner.name);
    return found ? this.idOf(found) : owner.name;
  }

  /** All objects that are one machine. */
  objectsOf(id: string): { readonly plural: Plural; readonly object: KubeObject }[] {
    return holders.flatMap((plural) =>
      this.#store.list(plural).flatMap((object) => (this.idOf(object) === id ? [{ plural, object }] : [])),
    );
  }

  /** Who is to be named in the books when it ends. */
  endsBy(id: string, cause: LedgerEnd): void {
    this.#causes.set(id, cause);
  }

  refresh(): void {
    const now = new Map<string, boolean>();
    for (const plural of holders) {
      for (const object of this.#store.list(plural)) {
        const id = this.idOf(object);
        const isPod = plural === "pods";
        const isOver = isPod && /^(Succeeded|Failed)$/.test(object.status?.phase ?? "");
        if (id !== undefined && !isOver) now.set(id, now.get(id) === true || isPod);
      }
    }
    for (const [id, runs] of now) this.#book(id, runs);
    for (const [id, box] of this.boxes)
      box.setDeadline(deadlineOf(this.objectsOf(id).map(({ object }) => object)), () => {});
    for (const id of this.#known.keys()) {
      if (now.has(id)) continue;
      this.#known.delete(id);
      this.#ledger.ended(id, this.#causes.get(id) ?? "request");
    }
  }

  #book(id: string, runs: boolean): void {
    const before = this.#known.get(id);
    this.#known.set(id, runs);
    if (before === undefined) this.#ledger.created(id, this.objectsOf(id)[0]?.object.metadata.labels);
    else if (runs && !before) this.#ledger.resumed(id);
    else if (!runs && before) this.#ledger.suspended(id);
  }

  *#objects(): Iterable<KubeObject> {
    for (const plural of ["persistentvolumeclaims", "pods"] as const) yield* this.#store.list(plural);
  }
}

/** Who ends it then is the business of others: agent-sandbox, or the pod itself, which is told by an annotation. */
function deadlineOf(objects: readonly KubeObject[]): number | undefined {
  const times = objects.flatMap(({ metadata, spec }) => {
    const told = Object.entries(metadata.annotations ?? {}).find(([name]) => name.endsWith("/expires-at"));
    const time = spec?.shutdownTime ?? spec?.lifecycle?.shutdownTime;
    return [...(told ? [Number(told[1]) * 1_000] : []), ...(time === undefined ? [] : [Date.parse(time)])];
  });
  return times.length === 0 ? undefined : Math.min(...times);
}
