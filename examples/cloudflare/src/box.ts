import { Container } from "@cloudflare/containers";
import { BoxControl } from "./box-control.ts";
import { BoxError, controlPort, type FileToWrite, type NewBox, type Refusal, refusals } from "./boxes.ts";
import { PassingRequests } from "./passing-requests.ts";
import { relayWebSocket } from "./relay-web-socket.ts";
import { refused } from "./router.ts";

const instanceLimitMs = 20_000;
const readyLimitMs = 60_000;

/** What is kept of a box besides its container; the secret is the key of the program in it. */
interface BoxRecord {
  readonly id: string;
  readonly idleMs: number;
  readonly keptUntil: number;
  readonly secret: string;
}

export interface BoxLife {
  readonly state: "starting" | "running" | "failed" | "gone";
  readonly exitCode?: number;
  readonly why?: string;
  readonly expiresAt?: number;
}

/** Errors lose their class on the way from one object to another. */
export type Outcome<T> = { readonly value: T } | { readonly refusal: Refusal };

/**
 * One box: a container that is started once. When it falls asleep or ends otherwise its disk is lost, so that it is gone:
 * nothing but `begin` may start it, whatever asks for it later.
 */
export class Box extends Container {
  #starting: Promise<void> | undefined;
  #awakeUntil = 0;
  readonly #passing = new PassingRequests(() => {
    this.#daemonWatch?.abort();
    this.#daemonWatch = undefined;
    this.renewActivityTimeout();
  });
  #daemonWatch: AbortController | undefined;

  async begin(id: string, { env, idleMs, network }: NewBox): Promise<Outcome<BoxLife>> {
    return this.#outcome(async () => {
      if (this.#record === undefined) {
        const secret = [...crypto.getRandomValues(new Uint8Array(32))]
          .map((byte) => byte.toString(16).padStart(2, "0"))
          .join("");
        this.#keep({ id, idleMs, keptUntil: 0, secret });
        this.#starting = this.#start(env, network === "on").finally(() => {
          this.#starting = undefined;
        });
      }
      await this.#starting;
      return this.#life();
    });
  }

  look(): Promise<Outcome<BoxLife>> {
    return this.#outcome(() => this.#life());
  }

  keep(ms: number): Promise<Outcome<BoxLife>> {
    return this.#outcome(async () => {
      this.#keep({ ...this.#running(), keptUntil: Date.now() + ms });
      this.renewActivityTimeout();
      return this.#life();
    });
  }

  startDaemon(start: ReadableStream<Uint8Array> | null): Promise<Outcome<void>> {
    return this.#outcome(async () => {
      const record = this.#running();
      this.renewActivityTimeout();
      await this.#control(record).start(start);
    });
  }

  write(file: FileToWrite): Promise<Outcome<void>> {
    return this.#outcome(async () => {
      const record = this.#running();
      this.renewActivityTimeout();
      await this.#control(record).write(file);
    });
  }

  logs(maxBytes: number): Promise<Outcome<string>> {
    return this.#outcome(() => this.#control(this.#running()).logs(maxBytes));
  }

  /** For good. Idempotent. */
  async end(): Promise<void> {
    await this.#remove();
    await this.#starting?.catch(() => {});
  }

  /** To the port in the request's URL. */
  override async fetch(request: Request): Promise<Response> {
    const port = Number(new URL(request.url).port || 80);
    let record: BoxRecord;
    try {
      record = this.#running();
    } catch (error) {
      return refused(error as BoxError);
    }
    const { signal, done } = this.#passing.begin();
    this.#watchDaemon(record);
    this.renewActivityTimeout();
    try {
      const answer = await this.#ask(port, request, signal);
      if (answer.webSocket) return relayWebSocket(answer, signal, done);
      if (answer.body === null) {
        done();
        return answer;
      }
      const { readable, writable } = passageFor(answer);
      answer.body
        .pipeTo(writable, { signal })
        .catch(() => {})
        .finally(done);
      return new Response(readable, answer);
    } catch (error) {
      done();
      return refused(error instanceof BoxError ? error : refusals.closed(port));
    }
  }

  override renewActivityTimeout(): void {
    const record = this.#record;
    if (record) {
      this.#awakeUntil = Math.max(Date.now() + record.idleMs, record.keptUntil);
      this.sleepAfter = (this.#awakeUntil - Date.now()) / 1000;
    }
    super.renewActivityTimeout();
  }

  /** It is destroyed and not only stopped: what is on its disk is lost anyway. */
  override async onActivityExpired(): Promise<void> {
    if (this.#starting || this.#passing.count > 0 || Date.now() < this.#awakeUntil) return;
    const idle = Math.round((this.#record?.idleMs ?? 0) / 1000);
    this.ctx.storage.kv.put(
      "slept",
      `It fell asleep after ${idle} seconds without a request, and what was in it is lost.`,
    );
    await this.destroy();
  }

  override onStop(): void {
    this.#passing.cutAll("The container ended.");
  }

  override onError(error: unknown): void {
    console.error("box", this.#record?.id, String(error));
  }

  /** For as long as requests pass. */
  #watchDaemon(record: BoxRecord): void {
    if (this.#daemonWatch) return;
    const watch = new AbortController();
    this.#daemonWatch = watch;
    this.#control(record)
      .untilDaemonEnded(watch.signal)
      .then(() => this.#passing.cutAll("The daemon ended."))
      .catch((error) => watch.signal.aborted || console.error("box", record.id, String(error)))
      .finally(() => {
        if (this.#daemonWatch === watch) this.#daemonWatch = undefined;
      });
  }

  /** Runs up to the program in it, which is claimed before anybody can have the box. */
  async #start(env: NewBox["env"], enableInternet: boolean): Promise<void> {
    try {
      await this.startAndWaitForPorts({
        ports: controlPort,
        startOptions: { enableInternet },
        cancellationOptions: { instanceGetTimeoutMS: instanceLimitMs, portReadyTimeoutMS: readyLimitMs },
      });
      const record = this.#record;
      if (record) await this.#control(record).claim(env);
      else await this.destroy();
      this.renewActivityTimeout();
    } catch (error) {
      await this.#remove();
      throw startRefused(error);
    }
  }

  async #remove(): Promise<void> {
    this.ctx.storage.kv.delete("box");
    if (this.ctx.container?.running) await this.destroy();
  }

  async #life(): Promise<BoxLife> {
    if (this.#starting) return { state: "starting" };
    const record = this.#record;
    if (record === undefined || !this.ctx.container?.running) return { state: "gone", why: await this.#why() };
    const expiresAt = this.#awakeUntil;
    const daemon = await this.#control(record).look();
    if (daemon === undefined) {
      await this.end();
      return { state: "gone", why: "Its container was started anew, and what was in it is lost." };
    }
    if (daemon.state === "ended") return { state: "failed", exitCode: daemon.exitCode ?? 0, expiresAt };
    return { state: daemon.state === "none" ? "starting" : "running", expiresAt };
  }

  async #why(): Promise<string> {
    const slept = this.ctx.storage.kv.get<string>("slept");
    if (slept !== undefined) return slept;
    const { status, ...rest } = await this.getState();
    const exitCode = "exitCode" in rest ? rest.exitCode : undefined;
    return status === "stopped_with_code"
      ? `Its container ended with exit code ${exitCode}.`
      : "Its container was stopped.";
  }

  get #record(): BoxRecord | undefined {
    return this.ctx.storage.kv.get<BoxRecord>("box");
  }

  #keep(record: BoxRecord): void {
    this.ctx.storage.kv.put("box", record);
  }

  /** Its record; throws where it does not run. */
  #running(): BoxRecord {
    const record = this.#record;
    if (record !== undefined && this.ctx.container?.running) return record;
    throw new BoxError(refusals.gone(record?.id ?? this.ctx.id.name ?? "?", "Its container does not run."));
  }

  #control({ secret }: BoxRecord): BoxControl {
    return new BoxControl((request) => this.#ask(controlPort, request), secret);
  }

  /** Never starts it, as `containerFetch` would. */
  async #ask(port: number, request: Request, signal?: AbortSignal): Promise<Response> {
    try {
      return await this.ctx
        .container!.getTcpPort(port)
        .fetch(request.url, signal ? new Request(request, { signal }) : request);
    } catch (error) {
      if (/not listening|refused/i.test(String(error))) throw new BoxError(refusals.closed(port));
      throw new BoxError({ status: 502, code: "box_failed", message: `The box did not answer: ${String(error)}` });
    }
  }

  async #outcome<T>(work: () => Promise<T>): Promise<Outcome<T>> {
    try {
      return { value: await work() };
    } catch (error) {
      if (!(error instanceof BoxError)) throw error;
      const { status, code, message, retryAfterSeconds } = error;
      return { refusal: { status, code, message, retryAfterSeconds } };
    }
  }
}

/** Whoever knows the length sees that a part is missing. */
function passageFor({ headers }: Response): TransformStream<Uint8Array, Uint8Array> {
  const length = headers.has("content-encoding") ? null : headers.get("content-length");
  return length === null ? new IdentityTransformStream() : new FixedLengthStream(Number(length));
}

function startRefused(error: unknown): BoxError {
  const text = error instanceof Error ? error.message : String(error);
  const isFull = /no container instance|too many containers/i.test(text);
  const advice = isFull ? " Raise max_instances in wrangler.jsonc, or end boxes that nobody needs." : "";
  const message = `The container could not be started: ${text}.${advice}`;
  if (isFull) return new BoxError({ status: 429, code: "rate_limited", message, retryAfterSeconds: 5 });
  return new BoxError({ status: 503, code: "unavailable", message });
}
