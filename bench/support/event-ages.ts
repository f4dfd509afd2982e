import { request } from "node:http";
import { credentials } from "./http-client.ts";

/** How old each event is, by the time that it carries, when it arrives here: of so many, in milliseconds. */
export function eventAges(url: string, count: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const ages: number[] = [];
    const sent = request(url, { agent: false, headers: credentials(url) }, (response) => {
      response.setEncoding("latin1").on("data", (text: string) => {
        const now = performance.timeOrigin + performance.now();
        for (const [, time] of text.matchAll(/"time":"([^"]+)"/g)) ages.push(now - Date.parse(time!));
        if (ages.length < count) return;
        sent.destroy();
        resolve(ages);
      });
      response.on("error", () => {});
    });
    sent.on("error", reject);
    sent.end();
  });
}
