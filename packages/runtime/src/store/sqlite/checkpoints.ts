import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Connection, DriverPlace } from "./connection.ts";

const pageBytes = 4096;
/** What is written between two checkpoints, about. */
const everyBytes = 4 * 1024 * 1024;
/** Pages of which every transaction writes some, whatever it brings. */
const transactionBytes = 4 * pageBytes;
/** A WAL that is longer begins anew, even if a commit has to wait for that. */
const longWalPages = (64 * 1024 * 1024) / pageBytes;
/** SQLite itself makes one, within a commit, when nobody else has for so long. */
const backstopPages = 4 * longWalPages;
const ownPages = 1000;

const program = `
const { parentPort, workerData } = require("node:worker_threads");
const { file, libsql } = workerData;
const Database = libsql ? require(libsql) : process.getBuiltinModule("node:sqlite").DatabaseSync;
const database = new Database(file);
database.exec("PRAGMA busy_timeout = 5000");
database.exec("PRAGMA synchronous = NORMAL");
parentPort.on("message", (wish) => {
  if (wish === "checkpoint") return parentPort.postMessage(database.prepare("PRAGMA wal_checkpoint(PASSIVE)").all()[0]);
  database.close();
  parentPort.close();
});
`;

interface Checkpointed {
  /** Pages in the WAL, and how many of them the database has. */
  readonly log: number;
  readonly checkpointed: number;
}

/**
 * Brings what is in the WAL into the database. A checkpoint waits for the disk, some hundred milliseconds on a busy one;
 * within a commit, which is SQLite's own way, everybody would wait with it. So a thread of its own makes them, once there
 * is enough to bring. It leaves behind what was committed meanwhile, so that the WAL grows while writes follow upon each
 * other; when it is long, that rest is brought within a commit.
 */
export class Checkpoints {
  readonly #file: string;
  readonly #driver: DriverPlace;
  readonly #connection: Connection;
  #worker: Worker | undefined;
  #written = 0;
  #isRunning = false;
  #isOver = false;

  constructor(file: string, driver: DriverPlace, connection: Connection) {
    this.#file = file;
    this.#driver = driver;
    this.#connection = connection;
    connection.exec(`PRAGMA wal_autocheckpoint = ${backstopPages}`);
  }

  /** A transaction was committed that brought so many bytes. */
  committed(bytes: number): void {
    this.#written += bytes + transactionBytes;
    if (this.#written < everyBytes || this.#isRunning || this.#isOver) return;
    this.#written = 0;
    this.#isRunning = true;
    this.#worker ??= this.#start();
    this.#worker.postMessage("checkpoint");
  }

  /** Resolves when the thread has let go of the database. */
  async close(): Promise<void> {
    this.#isOver = true;
    if (!this.#worker) return;
    const ended = once(this.#worker, "exit").catch(() => {});
    this.#worker.postMessage("close");
    await ended;
  }

  #start(): Worker {
    const worker = new Worker(program, { eval: true, workerData: { file: this.#file, ...this.#driver } });
    worker.unref();
    worker.on("message", (done: Checkpointed) => this.#done(done));
    worker.once("error", () => this.#giveUp());
    return worker;
  }

  #done({ log, checkpointed }: Checkpointed): void {
    this.#isRunning = false;
    if (log > longWalPages && checkpointed < log && !this.#isOver)
      this.#connection.all("PRAGMA wal_checkpoint(PASSIVE)");
  }

  /** SQLite makes them from now on. */
  #giveUp(): void {
    this.#worker = undefined;
    if (this.#isOver) return;
    this.#isOver = true;
    this.#connection.exec(`PRAGMA wal_autocheckpoint = ${ownPages}`);
  }
}
