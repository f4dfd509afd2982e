import type { ServerResponse } from "node:http";
import type { KubeObject, Plural } from "./kube-object.ts";
import type { ObjectStore, StoreEvent } from "./object-store.ts";
import { failure } from "./status.ts";

export interface WatchRequest {
  readonly plural: Plural;
  readonly namespace: string | undefined;
  /** From there on; without it, from what there is. */
  readonly version: string | null;
  readonly seconds: string | null;
  isMeant(object: KubeObject): boolean;
  shown(object: KubeObject): KubeObject;
}

/** Changes as they happen, a line of JSON each, until the connection or the time that was asked for ends. */
export class Watches {
  readonly #store: ObjectStore;
  readonly #open = new Set<ServerResponse>();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  get open(): number {
    return this.#open.size;
  }

  serve(response: ServerResponse, request: WatchRequest): void {
    const { plural, namespace, version, seconds, isMeant, shown } = request;
    const send = (type: string, object: unknown) => void response.write(`${JSON.stringify({ type, object })}\n`);
    const offer = (event: StoreEvent) => {
      const isHere = namespace === undefined || event.object.metadata.namespace === namespace;
      if (event.plural === plural && isHere && isMeant(event.object)) send(event.type, shown(event.object));
    };
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    const missed = version === null || version === "0" ? undefined : this.#store.since(Number(version));
    if (version !== null && version !== "0" && missed === undefined) {
      send("ERROR", failure(410, `too old resource version: ${version} (${this.#store.version})`));
      return void response.end();
    }
    for (const event of missed ?? []) offer(event);
    if (missed === undefined) {
      for (const object of this.#store.list(plural, namespace)) if (isMeant(object)) send("ADDED", shown(object));
    }
    const stop = this.#store.listen(offer);
    const timer = seconds === null ? undefined : setTimeout(() => response.end(), Number(seconds) * 1_000).unref();
    this.#open.add(response);
    response.once("close", () => {
      stop();
      clearTimeout(timer);
      this.#open.delete(response);
    });
  }

  /** End them all without a word, as the API does now and then. */
  endAll(): void {
    for (const response of this.#open) response.end();
  }
}
