import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Box, BoxOptions } from "./box.ts";
import { makeDisk } from "./box-disk.ts";
import { insideProgram } from "./inside-program.ts";
import { JailedBox } from "./jailed-box.ts";
import { type ReplacedFolder, withoutPrograms } from "./without-programs.ts";

/** Makes boxes, and ends them all when it is closed. */
export interface BoxHost {
  create(options: BoxOptions): Promise<Box>;
  /** Those that are not destroyed. */
  readonly boxes: ReadonlyMap<string, Box>;
  /** Ends every box; nothing is left. */
  close(): Promise<void>;
}

/** Rejects where bubblewrap is missing, saying what to do. */
export async function openBoxHost({ bubblewrap = "bwrap" }: { readonly bubblewrap?: string } = {}): Promise<BoxHost> {
  const { error } = spawnSync(bubblewrap, ["--version"], { stdio: "ignore" });
  if (error !== undefined) {
    throw new Error(
      process.platform === "linux"
        ? "Boxes need bubblewrap. Install the package `bubblewrap` (apt, dnf, apk, pacman)."
        : "Boxes need bubblewrap, which is for Linux only: run this in a container or a virtual machine with Linux.",
    );
  }
  return new JailedBoxHost(bubblewrap);
}

/** Removes the directory when this process has let go of its standard input, also by its death. */
const janitor =
  'while read -r _; do :; done; for _ in 1 2 3; do chmod -R u+rwx "$1"; rm -rf "$1" && exit; sleep 1; done';

class JailedBoxHost implements BoxHost {
  readonly boxes = new Map<string, JailedBox>();
  readonly #bubblewrap: string;
  readonly #folder = mkdtempSync(join(tmpdir(), "sandbox-agent-boxes-"));
  readonly #program = join(this.#folder, "box.cjs");
  readonly #replaced = new Map<string, readonly ReplacedFolder[]>();
  readonly #janitor;
  readonly #creating = new Set<Promise<unknown>>();
  #made = 0;
  #closed: Promise<void> | undefined;

  constructor(bubblewrap: string) {
    this.#bubblewrap = bubblewrap;
    writeFileSync(this.#program, insideProgram);
    const args = ["-c", janitor, "sh", this.#folder];
    this.#janitor = spawn("/bin/sh", args, { stdio: ["pipe", "ignore", "ignore"], detached: true, cwd: "/" });
  }

  async create(options: BoxOptions): Promise<JailedBox> {
    const creating = this.#create(options);
    this.#creating.add(creating);
    try {
      return await creating;
    } finally {
      this.#creating.delete(creating);
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #create(options: BoxOptions): Promise<JailedBox> {
    if (this.#closed) throw new Error("No boxes are made any more.");
    const { id, home, user = "user", uid = 1000, mounts = {}, without = [], writable = [] } = options;
    if (this.boxes.has(id)) throw new Error(`There is a box ${id} already.`);
    this.#made += 1;
    const folder = join(this.#folder, String(this.#made));
    const [disk, io] = [join(folder, "disk"), join(folder, "io")];
    for (const path of [disk, io]) mkdirSync(path, { recursive: true });
    makeDisk(disk, { user, uid, home, writable });
    const replaced = this.#without(without);
    const hasNode = !without.includes("node");
    const plan = { disk, io, program: this.#program, uid, mounts, replaced, hasNode };
    const onDestroyed = () => void this.boxes.delete(id);
    const box = await JailedBox.create({ options, bubblewrap: this.#bubblewrap, folder, plan, onDestroyed });
    this.boxes.set(id, box);
    return box;
  }

  #without(names: readonly string[]): readonly ReplacedFolder[] {
    const key = [...names].sort().join(" ");
    const known = this.#replaced.get(key);
    if (known) return known;
    const made = withoutPrograms(names, join(this.#folder, `without-${this.#replaced.size}`));
    this.#replaced.set(key, made);
    return made;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#creating);
    await Promise.all([...this.boxes.values()].map((box) => box.destroy()));
    const exited = once(this.#janitor, "exit");
    this.#janitor.stdin.end();
    await exited;
  }
}
