import { randomBytes } from "node:crypto";
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import type { TemplateSize } from "./e2b-sandbox.ts";

/** A step of a build, as E2B's API takes it. */
export interface TemplateStep {
  readonly type: string;
  readonly args?: readonly string[];
  readonly filesHash?: string;
}

/** What sandboxes are made of. */
export interface Template extends TemplateSize {
  readonly templateID: string;
  readonly buildID: string;
  readonly names: readonly string[];
  /** What was asked for; directories that are copied are had by its sandboxes, commands are not run. */
  steps: readonly TemplateStep[];
  status: "waiting" | "ready" | "error";
}

const defaults: readonly [string, TemplateSize][] = [
  ["base", { cpuCount: 2, memoryMB: 1024 }],
  ["sandbox-agent", { cpuCount: 4, memoryMB: 4096 }],
];

/** The templates of an account. */
export class Templates {
  readonly #directory = mkdtempSync(join(tmpdir(), "e2b-templates-"));
  readonly #all: Template[] = [];

  constructor() {
    for (const [name, size] of defaults) this.request(name, size).status = "ready";
  }

  /** The newest that is ready, by its name or its id. */
  find(name: string): Template | undefined {
    return this.#all.findLast(
      ({ templateID, names, status }) => status === "ready" && (templateID === name || names.includes(name)),
    );
  }

  build(templateID: string, buildID: string): Template | undefined {
    return this.#all.find((template) => template.templateID === templateID && template.buildID === buildID);
  }

  /** A build that is to be begun; of a name that there is the template stays the same. */
  request(name: string, { cpuCount = 2, memoryMB = 1024 }: Partial<TemplateSize>): Template {
    const templateID = this.find(name)?.templateID ?? randomBytes(10).toString("hex");
    const made: Template = {
      ...{ templateID, buildID: randomBytes(8).toString("hex"), names: [name], cpuCount, memoryMB },
      ...{ steps: [], status: "waiting" },
    };
    this.#all.push(made);
    return made;
  }

  has(hash: string): boolean {
    return existsSync(this.#placeOf(hash));
  }

  /** Files for `COPY`, as a gzipped tar. */
  async upload(hash: string, archive: Buffer): Promise<void> {
    const place = this.#placeOf(hash);
    mkdirSync(place, { recursive: true });
    const entries = Readable.from([archive]).pipe(createGunzip()).pipe(extract());
    for await (const entry of entries) {
      const path = join(place, normalize(`/${entry.header.name}`));
      mkdirSync(entry.header.type === "directory" ? path : dirname(path), { recursive: true });
      if (entry.header.type === "file") await pipeline(entry, createWriteStream(path));
      else entry.resume();
    }
  }

  /** Directories that its sandboxes have, by their place inside. */
  mounts({ steps }: Template): Readonly<Record<string, string>> {
    const copies = steps.flatMap(({ type, args: [from = "", to = ""] = [], filesHash }) => {
      if (type !== "COPY" || filesHash === undefined) return [];
      const path = join(this.#placeOf(filesHash), normalize(`/${from}`));
      return existsSync(join(path, ".")) ? [[to, path] as const] : [];
    });
    return Object.fromEntries(copies);
  }

  close(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #placeOf(hash: string): string {
    return join(this.#directory, hash.replaceAll(/[^\w-]/g, "_"));
  }
}
