import type { ServerResponse } from "node:http";
import type { Access } from "../access/access.ts";
import type { Principal } from "../access/principal.ts";

const lookEveryMs = 1_000;
/** Keys are asked for less often than the clock. */
const looksPerKeyCheck = 5;

/** Responses under way, such as streams: they end with what whoever asked came in with. */
export class OpenResponses {
  readonly #access: Pick<Access, "isStillIn">;
  readonly #open = new Map<ServerResponse, () => Principal | undefined>();
  readonly #timer: NodeJS.Timeout;
  #looks = 0;

  constructor(access: Pick<Access, "isStillIn">) {
    this.#access = access;
    this.#timer = setInterval(() => void this.#look().catch(() => {}), lookEveryMs).unref();
  }

  add(response: ServerResponse, principalOf: () => Principal | undefined): void {
    this.#open.set(response, principalOf);
    response.once("close", () => this.#open.delete(response));
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    this.#looks += 1;
    const checksKeys = this.#looks % looksPerKeyCheck === 0;
    for (const [response, principalOf] of [...this.#open]) {
      const principal = principalOf();
      if (!principal) continue;
      const isOver = (principal.expiresAt ?? Number.POSITIVE_INFINITY) <= Date.now();
      if (isOver || (checksKeys && !(await this.#access.isStillIn(principal)))) response.destroy();
    }
  }
}
