import { METHOD_NOT_FOUND } from "../../json-rpc/json-rpc-error.ts";
import type { JsonRpcCall, JsonRpcErrorObject } from "../../json-rpc/json-rpc-message.ts";
import type { Terminals } from "./terminals.ts";
import { readTextFile, writeTextFile } from "./text-files.ts";

const INVALID_PARAMS = -32602;
const RESOURCE_NOT_FOUND = -32002;

export type Served = { readonly result: unknown } | { readonly error: JsonRpcErrorObject };

/** What an agent may have done by us. Files are also written for one that was not told that it may: some do not ask. */
export class ClientMethods {
  readonly #terminals: Terminals;
  /** Nothing may be changed now. */
  readonly #isReadOnly: () => boolean;

  constructor(terminals: Terminals, isReadOnly: () => boolean) {
    this.#terminals = terminals;
    this.#isReadOnly = isReadOnly;
  }

  /** Never rejects: whatever goes wrong is an answer. */
  async serve({ method, params }: JsonRpcCall): Promise<Served> {
    try {
      const result = await this.#call(method, (params ?? {}) as Record<string, unknown>);
      if (result !== undefined) return { result };
      return { error: { code: METHOD_NOT_FOUND, message: `"${method}" is not known here.` } };
    } catch (error) {
      const missing = (error as { code?: unknown }).code === "ENOENT";
      return { error: { code: missing ? RESOURCE_NOT_FOUND : INVALID_PARAMS, message: (error as Error).message } };
    }
  }

  async #call(method: string, params: Record<string, unknown>): Promise<unknown> {
    const id = params.terminalId as string | undefined;
    switch (method) {
      case "fs/read_text_file":
        return readTextFile(params);
      case "fs/write_text_file":
        this.#refuseChanges();
        return writeTextFile(params);
      case "terminal/create":
        this.#refuseChanges();
        return this.#terminals.create(params);
      case "terminal/output":
        return this.#terminals.output(id);
      case "terminal/wait_for_exit":
        return this.#terminals.waitForExit(id);
      case "terminal/kill":
        return this.#terminals.kill(id);
      case "terminal/release":
        return this.#terminals.release(id);
      default:
        return undefined;
    }
  }

  #refuseChanges(): void {
    if (this.#isReadOnly()) throw new Error("This session only plans: nothing may be changed.");
  }
}
