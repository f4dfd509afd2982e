import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { sandboxLabel } from "./container-body.ts";
import type { DockerEngine } from "./docker-engine.ts";

const pauseMs = 1_000;

/** Tells of containers that are paused or go on, by whomever; connected while somebody listens. */
export class EngineEvents {
  readonly #engine: DockerEngine;
  readonly #listeners = new Set<(id: string) => void>();
  #connection: AbortController | undefined;

  constructor(engine: DockerEngine) {
    this.#engine = engine;
  }

  watch(listener: (id: string) => void): () => void {
    const own = (id: string) => listener(id);
    this.#listeners.add(own);
    if (this.#connection === undefined) {
      this.#connection = new AbortController();
      void this.#read(this.#connection.signal);
    }
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size === 0) this.close();
    };
  }

  close(): void {
    this.#connection?.abort();
    this.#connection = undefined;
  }

  async #read(signal: AbortSignal): Promise<void> {
    const filters = { type: ["container"], event: ["pause", "unpause"], label: [sandboxLabel] };
    while (!signal.aborted) {
      try {
        const events = await this.#engine.stream("GET", "/events", { query: { filters }, signal, isEndless: true });
        for await (const line of createInterface(events)) this.#tell(line);
      } catch {
        // The engine is away; whoever is connected to a container sees that too.
      }
      await delay(pauseMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  #tell(line: string): void {
    const { Actor } = JSON.parse(line) as { Actor?: { Attributes?: Readonly<Record<string, string>> } };
    const id = Actor?.Attributes?.[sandboxLabel];
    if (id !== undefined) for (const listener of this.#listeners) listener(id);
  }
}
