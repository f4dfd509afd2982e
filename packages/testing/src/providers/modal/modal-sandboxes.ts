import { randomBytes } from "node:crypto";
import type { BoxHost } from "../box/box-host.ts";
import { Ledger, type LedgerEnd } from "../ledger.ts";
import type { ServiceOptions } from "../provider-service.ts";
import { GrpcError } from "./grpc-server.ts";
import { networkAccess } from "./messages.ts";
import { ends, ModalSandbox, type SandboxResult, type SandboxWish, variablesOf } from "./modal-sandbox.ts";

const longestSeconds = 24 * 60 * 60;

export interface ListWish {
  readonly appId: string;
  /** Seconds since 1970; 0 for the first page. */
  readonly before: number;
  readonly tags: readonly { readonly name: string; readonly value: string }[];
}

/** All sandboxes of an account, and what happens to them. */
export class ModalSandboxes {
  readonly ledger = new Ledger();
  readonly #host: BoxHost;
  readonly #options: ServiceOptions;
  readonly #all = new Map<string, ModalSandbox>();
  /** Names in an app belong to one that runs, or is being made. */
  readonly #names = new Set<string>();
  readonly #ending = new Map<string, Promise<void>>();
  #lastCreatedAt = 0;

  constructor(host: BoxHost, options: ServiceOptions) {
    this.#host = host;
    this.#options = options;
  }

  async create(wish: SandboxWish): Promise<ModalSandbox> {
    const { timeoutSeconds = 0, command = [] } = wish.definition ?? {};
    if (timeoutSeconds < 1 || timeoutSeconds > longestSeconds)
      throw new GrpcError("invalidArgument", `The timeout must be between 1 and ${longestSeconds} seconds.`);
    const name = nameIn(wish);
    if (this.#names.has(name))
      throw new GrpcError("alreadyExists", `There is a sandbox ${wish.definition?.name} already.`);
    if (wish.definition?.name) this.#names.add(name);
    try {
      const sandbox = new ModalSandbox({ wish, box: await this.#makeBox(wish), createdAt: this.#now() });
      this.#all.set(sandbox.id, sandbox);
      this.ledger.created(sandbox.id, sandbox.tags);
      sandbox.box.setDeadline(Date.now() + timeoutSeconds * 1000, () => void this.expire(sandbox.id));
      if (command.length > 0) await this.#runMain(sandbox, command);
      return sandbox;
    } catch (error) {
      this.#names.delete(name);
      throw error;
    }
  }

  find(id: string): ModalSandbox {
    const found = this.#all.get(id);
    if (found === undefined) throw new GrpcError("notFound", `There is no sandbox ${id}.`);
    return found;
  }

  running(id: string): ModalSandbox {
    const found = this.find(id);
    if (found.result) throw new GrpcError("failedPrecondition", `The sandbox ${id} has already finished.`);
    return found;
  }

  named(appName: string, name: string, apps: ReadonlyMap<string, string>): ModalSandbox {
    const isMeant = (sandbox: ModalSandbox) => sandbox.name === name && sandbox.wish.appId === apps.get(appName);
    const found = [...this.#all.values()].find((sandbox) => isMeant(sandbox) && !sandbox.result);
    if (found === undefined)
      throw new GrpcError("notFound", `There is no running sandbox ${name} in the app ${appName}.`);
    return found;
  }

  /** Those that run, newest first, a page at a time. */
  list({ appId, before, tags }: ListWish): readonly ModalSandbox[] {
    const isMeant = (sandbox: ModalSandbox) =>
      !sandbox.result &&
      (appId === "" || sandbox.wish.appId === appId) &&
      (before === 0 || sandbox.createdAt < before) &&
      tags.every(({ name, value }) => sandbox.tags[name] === value);
    return [...this.#all.values()]
      .filter(isMeant)
      .sort((a, b) => b.createdAt - a.createdAt)
      .slice(0, pageSize);
  }

  terminate(id: string): Promise<void> {
    return this.#end(id, ends.terminated, "request");
  }

  expire(id: string): Promise<void> {
    return this.#end(id, ends.timeout, "deadline");
  }

  lose(id: string): Promise<void> {
    return this.#end(id, ends.failure, "fault");
  }

  async close(): Promise<void> {
    for (const { id } of this.#all.values()) await this.#end(id, ends.terminated, "service");
  }

  /** Of many who end it all wait until nothing is left. */
  #end(id: string, result: SandboxResult, by: LedgerEnd): Promise<void> {
    const sandbox = this.find(id);
    if (sandbox.end(result)) this.#ending.set(id, this.#cleanUp(sandbox, by));
    return this.#ending.get(id) ?? Promise.resolve();
  }

  async #cleanUp(sandbox: ModalSandbox, by: LedgerEnd): Promise<void> {
    this.#names.delete(nameIn(sandbox.wish));
    this.ledger.ended(sandbox.id, by);
    await (await sandbox.proxy)?.close();
    await sandbox.box.destroy();
  }

  #makeBox({ definition, secretSources }: SandboxWish) {
    const { mounts, reachable, withoutNode } = this.#options;
    const hasNetwork = definition?.network?.kind !== networkAccess.blocked && !isClosed(definition?.network);
    return this.#host.create({
      // Modal's SDK takes 22 characters for an id of the former kind of sandboxes.
      id: `sb-${randomBytes(12).toString("hex")}`,
      home: "/home/user",
      env: variablesOf(secretSources),
      mounts,
      reachable: hasNetwork ? reachable : [],
      without: withoutNode ? ["node"] : [],
    });
  }

  /** When it ends the sandbox does. */
  async #runMain(sandbox: ModalSandbox, command: readonly string[]): Promise<void> {
    const main = await sandbox.box.exec(command, { detached: true });
    void main.exited.then(({ code }) => {
      const result = { status: code === 0 ? 1 : 2, exitCode: code ?? 137 };
      return this.#end(sandbox.id, result, "service");
    });
  }

  /** No two are made at the same time: pages of a list begin behind a time. */
  #now(): number {
    this.#lastCreatedAt = Math.max(Date.now() / 1000, this.#lastCreatedAt + 0.001);
    return this.#lastCreatedAt;
  }
}

const pageSize = 100;
const nameIn = ({ appId, definition }: SandboxWish) => `${appId}/${definition?.name ?? ""}`;

type Network = NonNullable<SandboxWish["definition"]>["network"];

/** A list of allowed places on which there is none. */
const isClosed = (network: Network) =>
  network?.kind === networkAccess.allowlist && network.cidrs.length === 0 && network.domains.length === 0;
