import { randomUUID } from "node:crypto";
import { type KubeObject, type Plural, resources, timestamp } from "./kube-object.ts";
import { checkLabel } from "./selectors.ts";
import { Refusal } from "./status.ts";

export interface StoreEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly plural: Plural;
  /** A copy, as it was then. */
  readonly object: KubeObject;
  readonly version: number;
}

const keptEvents = 1_000;

/** Every object of the cluster, each change numbered, in the order in which watchers are told. */
export class ObjectStore {
  readonly #objects = new Map<string, KubeObject>();
  readonly #listeners = new Set<(event: StoreEvent) => void>();
  readonly #events: StoreEvent[] = [];
  readonly #untold: StoreEvent[] = [];
  #isTelling = false;
  #version = 1;
  #oldest = 1;

  get version(): number {
    return this.#version;
  }

  find(plural: Plural, namespace: string, name: string): KubeObject | undefined {
    const object = this.#objects.get(keyOf(plural, namespace, name));
    return object && structuredClone(object);
  }

  get(plural: Plural, namespace: string, name: string): KubeObject {
    const found = this.find(plural, namespace, name);
    if (found === undefined) throw new Refusal(404, `${plural} "${name}" not found`);
    return found;
  }

  list(plural: Plural, namespace?: string): KubeObject[] {
    const prefix = namespace === undefined ? `${plural}/` : `${plural}/${namespace}/`;
    return [...this.#objects].flatMap(([key, object]) => (key.startsWith(prefix) ? [structuredClone(object)] : []));
  }

  create(plural: Plural, namespace: string, given: KubeObject): KubeObject {
    const { kind, group, versions } = resources.find((resource) => resource.plural === plural)!;
    const name = given.metadata?.name ?? `${given.metadata?.generateName ?? ""}${randomUUID().slice(0, 5)}`;
    if (name.length > 63 || !/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name))
      throw new Refusal(422, `${kind} "${name}" is invalid: metadata.name: a lowercase RFC 1123 subdomain is wanted`);
    for (const [key, value] of Object.entries(given.metadata.labels ?? {})) checkLabel(key, value);
    const key = keyOf(plural, namespace, name);
    if (this.#objects.has(key)) throw new Refusal(409, `${plural} "${name}" already exists`);
    const created = { uid: randomUUID(), generation: 1, creationTimestamp: timestamp() };
    const object = {
      ...structuredClone(given),
      apiVersion: group === "" ? versions[0] : `${group}/${versions[0]}`,
      kind,
      metadata: { ...structuredClone(given.metadata), name, namespace, ...created },
    };
    return this.#put("ADDED", plural, object);
  }

  /** Change what is there; undefined when it is not any more. */
  update(plural: Plural, namespace: string, name: string, change: (object: KubeObject) => unknown) {
    const object = this.find(plural, namespace, name);
    if (object === undefined) return undefined;
    const before = JSON.stringify(object);
    const changed = (change(object) ?? object) as KubeObject;
    if (JSON.stringify(changed) === before) return object;
    return this.#put("MODIFIED", plural, changed);
  }

  remove(plural: Plural, namespace: string, name: string): KubeObject | undefined {
    const object = this.find(plural, namespace, name);
    if (object === undefined) return undefined;
    this.#objects.delete(keyOf(plural, namespace, name));
    return this.#tell("DELETED", plural, object);
  }

  /** What happened after a version; undefined when that is forgotten. */
  since(version: number): readonly StoreEvent[] | undefined {
    if (version < this.#oldest) return undefined;
    return this.#events.filter((event) => event.version > version);
  }

  /** Forget what happened so far: who asks for it is told that it is gone. */
  compact(): void {
    this.#events.length = 0;
    this.#oldest = this.#version + 1;
    this.#version += 1;
  }

  listen(listener: (event: StoreEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #put(type: "ADDED" | "MODIFIED", plural: Plural, object: KubeObject): KubeObject {
    this.#objects.set(keyOf(plural, object.metadata.namespace!, object.metadata.name), object);
    return this.#tell(type, plural, object);
  }

  #tell(type: StoreEvent["type"], plural: Plural, object: KubeObject): KubeObject {
    this.#version += 1;
    object.metadata.resourceVersion = String(this.#version);
    const event = { type, plural, object: structuredClone(object), version: this.#version };
    this.#events.push(event);
    if (this.#events.length > keptEvents) this.#oldest = this.#events.shift()!.version;
    this.#untold.push(event);
    this.#tellAll();
    return structuredClone(object);
  }

  /** A listener may change something: what follows from that is told after it, to all in the same order. */
  #tellAll(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    try {
      for (let event = this.#untold.shift(); event !== undefined; event = this.#untold.shift())
        for (const listener of this.#listeners) listener(event);
    } finally {
      this.#isTelling = false;
    }
  }
}

const keyOf = (plural: string, namespace: string, name: string) => `${plural}/${namespace}/${name}`;
