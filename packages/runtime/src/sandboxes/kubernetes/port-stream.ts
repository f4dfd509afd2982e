import { Agent } from "node:http";
import { Duplex } from "node:stream";
import type { Channels, Cluster } from "./cluster.ts";

const [dataChannel, errorChannel] = [0, 1] as const;
const portBytes = 2;

/** One connection to a port of a pod, over one WebSocket to the API. */
class PortStream extends Duplex {
  readonly #heads = new Set<number>([dataChannel, errorChannel]);
  #channels: Channels | undefined;

  private constructor() {
    super();
    // Also while nobody uses it: whoever does then hears of it by its end.
    this.on("error", () => {});
  }

  static async open(cluster: Cluster, pod: string, port: number): Promise<PortStream> {
    const stream = new PortStream();
    stream.#channels = await cluster.connect(pod, `portforward?ports=${port}`, {
      onData: (channel, data) => stream.#take(channel, data),
      onClose: () => stream.#end(),
    });
    // What is refused at once is over before anybody has it.
    if (stream.errored) {
      stream.#channels.close();
      throw stream.errored;
    }
    return stream;
  }

  /** The first of each channel is the port's number. */
  #take(channel: number, data: Buffer): boolean {
    const rest = this.#heads.delete(channel) ? data.subarray(portBytes) : data;
    if (channel === errorChannel && rest.length > 0) this.destroy(new Error(rest.toString().trim()));
    else if (channel === dataChannel && rest.length > 0) this.push(rest);
    return !this.destroyed;
  }

  #end(): void {
    if (!this.readableEnded) this.push(null);
    this.destroy();
  }

  override _read(): void {}

  override _write(chunk: Buffer, _: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#channels!.send(dataChannel, chunk).then(() => callback(), callback);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#channels?.close();
    callback(error);
  }

  // What agents of HTTP want of a socket.
  ref = () => this.#channels?.hold(true);
  unref = () => this.#channels?.hold(false);
  setKeepAlive = () => this;
  setNoDelay = () => this;
  setTimeout = () => this;
}

/** Connections to the ports of a pod, each made when it is needed: what broke before, e.g. at a restart of the API, is no matter. */
export function portAgent(cluster: Cluster, pod: string, port: number): Agent {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 2 });
  const createConnection = (_: unknown, callback: (error: Error | null, stream?: Duplex) => void) => {
    PortStream.open(cluster, pod, port).then(
      (stream) => callback(null, stream),
      (cause: Error) => callback(notConnected(cause)),
    );
  };
  return Object.assign(agent, { createConnection });
}

/** As the system says it where nothing was sent: who has a request may try again. */
const notConnected = (cause: Error) => Object.assign(new Error(cause.message, { cause }), { code: "ECONNREFUSED" });
