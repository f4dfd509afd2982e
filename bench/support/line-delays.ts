import { request } from "node:http";
import { call } from "./http-client.ts";

/** Let an agent write its clock in lines; how long each was under way to an SSE client, in milliseconds. */
export async function lineDelays(
  events: string,
  messages: string,
  { lines, everyMs }: { lines: number; everyMs: number },
): Promise<number[]> {
  const measured: number[] = [];
  const { promise, resolve } = defer();
  const stop = await follow(events, (text) => {
    const now = process.hrtime.bigint();
    for (const [, stamp] of text.matchAll(/"delta":"@(\d+)"/g)) measured.push(Number(now - BigInt(stamp!)) / 1e6);
    if (measured.length >= lines) resolve();
  });
  await call(messages, "POST", { message: `clock ${lines} ${everyMs}` });
  await promise;
  stop();
  return measured;
}

function follow(url: string, onText: (text: string) => void): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false }, (response) => {
      response.setEncoding("latin1").on("data", onText);
      response.on("error", () => {});
      resolve(() => sent.destroy());
    });
    sent.on("error", reject);
    sent.end();
  });
}

function defer(): { promise: Promise<void>; resolve: () => void } {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
