import type { HttpClient } from "./http-client.ts";

const DISPOSE_TIMEOUT_MS = 5_000;

/**
 * The directories that sessions are in. The server keeps an instance of itself for each, with what belongs to it (language
 * servers, watchers, MCP servers of the user) and tens of megabytes; it goes with the last session there.
 */
export class Directories {
  readonly #http: HttpClient;
  readonly #users = new Map<string, number>();
  readonly #leaving = new Map<string, Promise<void>>();

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /** An instance that is just going is waited for. */
  async enter(directory: string): Promise<void> {
    this.#users.set(directory, (this.#users.get(directory) ?? 0) + 1);
    await this.#leaving.get(directory);
  }

  async leave(directory: string): Promise<void> {
    const left = (this.#users.get(directory) ?? 1) - 1;
    if (left > 0) {
      this.#users.set(directory, left);
      return;
    }
    this.#users.delete(directory);
    const leaving = this.#dispose(directory).finally(() => this.#leaving.delete(directory));
    this.#leaving.set(directory, leaving);
    await leaving;
  }

  async #dispose(directory: string): Promise<void> {
    const options = { directory, body: {}, timeoutMs: DISPOSE_TIMEOUT_MS };
    await this.#http.request("POST", "/instance/dispose", options).catch(() => undefined);
  }
}
