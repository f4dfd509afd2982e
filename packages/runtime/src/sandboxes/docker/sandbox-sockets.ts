import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { LONGEST_SOCKET_PATH, socketFetch } from "../node-fetch.ts";
import { SandboxProviderError } from "../sandbox-provider.ts";

/**
 * Directories of this machine in which the daemons of sandboxes without a network listen. Only we can enter the one that
 * they lie in; in its own a sandbox, which is another user, may make its socket.
 */
export class SandboxSockets {
  readonly #root: string;

  constructor(directory: string) {
    this.#root = resolve(directory, "sockets");
  }

  /** Answers the directory. */
  make(id: string): string {
    const directory = join(this.#root, id);
    if (this.#socket(id).length > LONGEST_SOCKET_PATH) {
      const detail = `${this.#root} is too long a path for sandboxes without a network. Name a shorter data directory.`;
      throw new SandboxProviderError("unavailable", detail);
    }
    mkdirSync(this.#root, { recursive: true, mode: 0o700 });
    mkdirSync(directory, { recursive: true });
    chmodSync(directory, 0o777);
    return directory;
  }

  fetch(id: string): typeof fetch {
    return socketFetch(this.#socket(id));
  }

  remove(id: string): void {
    rmSync(join(this.#root, id), { recursive: true, force: true });
  }

  #socket(id: string): string {
    return join(this.#root, id, "daemon.sock");
  }
}
