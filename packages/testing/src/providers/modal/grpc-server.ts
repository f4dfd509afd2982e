import { once } from "node:events";
import {
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
} from "node:http2";
import type { AddressInfo } from "node:net";
import { type Fault, Faults, type FaultWords } from "../faults.ts";
import type { ServiceRequest } from "../provider-service.ts";
import { retryPolicy, status as statusMessage } from "./messages.ts";
import { type Decoded, decode, type Encodable, encode, type MessageType } from "./protobuf.ts";

const headerBytes = 5;
const maxMessageBytes = 100 * 1024 * 1024;
const maxRecordedChars = 64 * 1024;

/** The status codes of gRPC that this fake answers with. */
const grpcStatus = {
  ok: 0,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

type StatusName = keyof typeof grpcStatus;

/** What a method rejects with to be answered by that status. */
export class GrpcError extends Error {
  readonly code: number;
  constructor(status: StatusName, message: string) {
    super(message);
    this.code = grpcStatus[status];
  }
}

export interface GrpcCall<Request> {
  readonly headers: IncomingHttpHeaders;
  /** Of a stream the first one. */
  readonly message: Request;
  /** What a stream has after it. */
  readonly rest: AsyncIterable<Request>;
}

export interface GrpcMethod {
  /** E.g. `/modal.client.ModalClient/SandboxCreateV2`. */
  readonly path: string;
  /** For faults. */
  readonly name: string;
  readonly request: MessageType;
  readonly response: MessageType;
  handle(call: GrpcCall<never>): Promise<object> | AsyncIterable<object>;
}

interface Types<Request extends MessageType, Response extends MessageType> {
  readonly request: Request;
  readonly response: Response;
}

type Answer<Response extends MessageType> = Promise<Encodable<Response>> | AsyncIterable<Encodable<Response>>;

/** The methods of one service, each with what is needed to call it. */
export function methodsOf(service: string) {
  return <Request extends MessageType, Response extends MessageType>(
    method: string,
    name: string,
    { request, response }: Types<Request, Response>,
    handle: (call: GrpcCall<Decoded<Request>>) => Answer<Response>,
  ): GrpcMethod => ({ path: `/${service}/${method}`, name, request, response, handle: handle as GrpcMethod["handle"] });
}

export interface GrpcServerOptions {
  readonly methods: readonly GrpcMethod[];
  /** Names of headers, in lower case, with credentials: not recorded. */
  readonly secretHeaders: readonly string[];
  /** The machine that a call is about. */
  machineOf(message: Readonly<Record<string, unknown>>): string | undefined;
  readonly onRequest?: ((request: ServiceRequest) => void) | undefined;
}

/** gRPC without encryption on loopback, with scripted faults and a record of what came. */
export class GrpcServer {
  readonly faults = new Faults();
  readonly requests: ServiceRequest[] = [];
  readonly #options: GrpcServerOptions;
  readonly #methods: ReadonlyMap<string, GrpcMethod>;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #server = createServer({ settings: { initialWindowSize: 1024 * 1024 } });

  constructor(options: GrpcServerOptions) {
    this.#options = options;
    this.#methods = new Map(options.methods.map((method) => [method.path, method]));
    this.#server.on("request", (request, response) => void this.#serve(request, response));
    this.#server.on("session", (session) => {
      this.#sessions.add(session);
      session.once("close", () => this.#sessions.delete(session));
    });
  }

  async listen(port = 0): Promise<void> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.faults.clear();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const session of this.#sessions) session.destroy();
    await closed;
  }

  async #serve(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    request.on("error", () => {});
    response.on("error", () => {});
    try {
      const method = this.#methods.get(request.url);
      if (method === undefined) throw new GrpcError("unimplemented", `There is no method ${request.url} in this fake.`);
      const messages = messagesOf(request, method.request);
      const { value: message } = (await messages.next()) as IteratorResult<Readonly<Record<string, unknown>>>;
      if (message === undefined) throw new GrpcError("invalidArgument", "There is no message.");
      this.#record(request, message);
      const fault = this.faults.next({ name: method.name, id: this.#options.machineOf(message), request });
      if (this.faults.apply(fault, response, grpcWords)) return;
      const call = { headers: request.headers, message, rest: messages };
      await answer(method, call as unknown as GrpcCall<never>, response, fault);
    } catch (error) {
      finish(response, error instanceof GrpcError ? error.code : grpcStatus.internal, (error as Error).message);
    }
  }

  #record({ method, url, headers }: Http2ServerRequest, message: Readonly<Record<string, unknown>>): void {
    const shown = Object.entries(headers).map(([name, value]) => [
      name,
      this.#options.secretHeaders.includes(name) ? "(hidden)" : String(value),
    ]);
    const fields = Object.entries(message).filter(([, value]) => !(value instanceof Uint8Array));
    const recorded: ServiceRequest = {
      method,
      path: url,
      headers: Object.fromEntries(shown) as Record<string, string>,
      body: JSON.stringify(Object.fromEntries(fields)).slice(0, maxRecordedChars),
    };
    this.requests.push(recorded);
    this.#options.onRequest?.(recorded);
  }
}

/** The words of gRPC for faults, which are named by statuses of HTTP. */
const grpcWords: FaultWords<Http2ServerResponse> = {
  unauthorized: (response) => finish(response, grpcStatus.unauthenticated, "The token is wrong or has expired."),
  refused(response, status, text) {
    const name = statusNames[status] ?? (status < 500 ? "failedPrecondition" : "internal");
    finish(response, grpcStatus[name], text, Number(response.getHeader("retry-after") ?? 0));
  },
};

const statusNames: Readonly<Record<number, StatusName>> = {
  400: "invalidArgument",
  401: "unauthenticated",
  403: "permissionDenied",
  404: "notFound",
  409: "alreadyExists",
  429: "resourceExhausted",
  501: "unimplemented",
  502: "unavailable",
  503: "unavailable",
  504: "deadlineExceeded",
};

async function* messagesOf(request: Http2ServerRequest, type: MessageType): AsyncGenerator<object> {
  let kept = Buffer.alloc(0);
  let chunks: Buffer[] = [];
  let missing = headerBytes;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    missing -= chunk.length;
    if (missing > 0) continue;
    kept = Buffer.concat([kept, ...chunks]);
    chunks = [];
    while (kept.length >= messageBytes(kept)) {
      const end = messageBytes(kept);
      yield decode(type, kept.subarray(headerBytes, end));
      kept = kept.subarray(end);
    }
    missing = messageBytes(kept) - kept.length;
  }
}

/** With its header, as far as that is there. */
function messageBytes(kept: Buffer): number {
  if (kept.length < headerBytes) return headerBytes;
  if (kept[0] !== 0) throw new GrpcError("unimplemented", "Messages are not to be compressed.");
  const length = kept.readUInt32BE(1);
  if (length > maxMessageBytes) throw new GrpcError("resourceExhausted", "A message is too long.");
  return headerBytes + length;
}

/** The work is done although its answer is to be lost. */
async function answer(
  method: GrpcMethod,
  call: GrpcCall<never>,
  response: Http2ServerResponse,
  fault: Fault | undefined,
): Promise<void> {
  const answers = method.handle(call);
  for await (const message of isStream(answers) ? answers : single(answers)) {
    if (fault) continue;
    if (!response.headersSent) response.writeHead(200, { "content-type": "application/grpc" });
    if (response.destroyed) return;
    const bytes = encode(method.response, message);
    const frame = Buffer.alloc(headerBytes);
    frame.writeUInt32BE(bytes.length, 1);
    if (!response.write(Buffer.concat([frame, bytes])))
      await Promise.race([once(response, "drain"), once(response, "close")]);
  }
  if (fault?.kind !== "lost-answer") finish(response, grpcStatus.ok);
  else if (fault.status === undefined) response.stream.destroy();
  else grpcWords.refused(response, fault.status, "The answer was lost.");
}

const isStream = (answers: Promise<object> | AsyncIterable<object>): answers is AsyncIterable<object> =>
  Symbol.asyncIterator in answers;

async function* single(answer: Promise<object>): AsyncGenerator<object> {
  yield await answer;
}

function finish(response: Http2ServerResponse, code: number, text = "", retryAfterSeconds = 0): void {
  if (response.stream?.destroyed ?? true) return;
  if (!response.headersSent) response.writeHead(200, { "content-type": "application/grpc" });
  const details = retryDetails(code, text, retryAfterSeconds).toString("base64");
  response.addTrailers({
    "grpc-status": String(code),
    ...(text !== "" && { "grpc-message": encodeURIComponent(text) }),
    ...(retryAfterSeconds > 0 && { "grpc-status-details-bin": details }),
  });
  response.end();
}

/** How Modal says when a call may be made again. */
function retryDetails(code: number, text: string, retryAfterSeconds: number): Buffer {
  const value = encode(retryPolicy, { retryAfterSeconds });
  const typeUrl = "type.googleapis.com/modal.client.RPCRetryPolicy";
  return encode(statusMessage, { code, message: text, details: [{ typeUrl, value }] });
}
