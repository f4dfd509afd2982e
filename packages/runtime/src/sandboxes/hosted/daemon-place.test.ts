import { expect, test, vi } from "vitest";
import type { SandboxEndpoint } from "../sandbox-provider.ts";
import { DaemonPlace } from "./daemon-place.ts";

type Answer = (request: Request) => Response | Promise<Response>;

const ok: Answer = async (request) =>
  Response.json({ at: request.url, pass: request.headers.get("x-pass"), body: await request.text() });
const page: Answer = () => new Response("<title>Sign in</title>", { headers: { "content-type": "text/html" } });
const refused = () =>
  new TypeError("fetch failed", { cause: Object.assign(new Error("no"), { code: "ECONNREFUSED" }) });

/** A place that is another one each time it is asked for: what is sent to the n-th gets the n-th answer. */
function placeWith(answers: readonly Answer[], changes: Partial<SandboxEndpoint> = {}) {
  const asked = { times: 0 };
  const place = new DaemonPlace(async () => {
    const number = asked.times++;
    return {
      url: `https://place-${number}.invalid`,
      headers: { "x-pass": `pass-${number}` },
      fetch: async (input, init) => answers[Math.min(number, answers.length - 1)]!(new Request(input, init)),
      ...changes,
    };
  });
  const send = async (init: RequestInit = {}) => {
    const { url, headers, fetch: there } = await place.endpoint();
    return there!(new URL("/v1/health?a=b", url), { ...init, headers });
  };
  return { place, asked, send };
}

/** The one of an answer that came, so that whoever answers differently afterwards has taken its place. */
const once = (first: Answer, then: Answer): Answer => {
  let isFirst = true;
  return (request) => {
    const answer = isFirst ? first : then;
    isFirst = false;
    return answer(request);
  };
};

const refusals: Record<string, Answer> = {
  "a page": page,
  "a redirect": () => new Response(null, { status: 307, headers: { location: "/login" } }),
  ...Object.fromEntries([401, 403, 404, 502].map((status) => [status, () => Response.json({}, { status })])),
  "no connection": () => Promise.reject(refused()),
};

test.each(Object.entries(refusals))(
  "after %s the place is asked for again, and the request sent there",
  async (_, answer) => {
    const { send, asked } = placeWith([once(ok, answer), ok]);
    await send();
    const init = { method: "POST", body: "hello" };
    expect(await (await send(init)).json()).toEqual({
      at: "https://place-1.invalid/v1/health?a=b",
      pass: "pass-1",
      body: "hello",
    });
    expect(asked.times).toBe(2);
  },
);

test("the daemon's own refusals are its answers", async () => {
  const problem = () => new Response("{}", { status: 404, headers: { "content-type": "application/problem+json" } });
  const { send, asked } = placeWith([problem]);
  expect([(await send()).status, asked.times]).toEqual([404, 1]);
});

test("who is refused at the new place, too, is told so", async () => {
  const { send, asked } = placeWith([once(ok, page), page]);
  await send();
  await expect(send()).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("Somebody else"),
  });
  expect(asked.times).toBe(2);
});

test("many who are refused at once ask once", async () => {
  const { send, asked } = placeWith([once(ok, page), ok]);
  await send();
  await Promise.all(Array.from({ length: 5 }, () => send()));
  expect(asked.times).toBe(2);
});

test("while nothing has answered there yet it is not asked for with every request", async () => {
  const { send, asked } = placeWith([page]);
  for (let attempt = 0; attempt < 5; attempt += 1) await expect(send()).rejects.toMatchObject({ code: "unavailable" });
  expect(asked.times).toBe(1);
});

test("what may have arrived is not sent again", async () => {
  const reset = Object.assign(new Error("reset"), { code: "ECONNRESET" });
  const broken = () => Promise.reject(new TypeError("fetch failed", { cause: reset }));
  const { send, asked } = placeWith([once(ok, broken), ok]);
  await send();
  await expect(send({ method: "POST", body: "once" })).rejects.toThrow("fetch failed");
  expect(asked.times).toBe(2);
  expect((await send()).status).toBe(200);
});

test("a body that is gone is not sent again, and the next request goes to the new place", async () => {
  const { send, asked } = placeWith([once(ok, page), ok]);
  await send();
  const body = new Blob(["parts"]).stream();
  await expect(send({ method: "POST", body, duplex: "half" } as RequestInit)).rejects.toMatchObject({
    code: "unavailable",
  });
  expect(await (await send()).json()).toMatchObject({ pass: "pass-1" });
  expect(asked.times).toBe(2);
});

test("a place with an end is left before it", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  const { send, asked } = placeWith([ok], { expiresAt: Date.now() + 60_000 });
  await send();
  vi.advanceTimersByTime(20_000);
  await send();
  expect(asked.times).toBe(1);
  vi.advanceTimersByTime(15_000);
  await send();
  expect(asked.times).toBe(2);
  vi.useRealTimers();
});

test("one that could not be told is asked for again", async () => {
  let isAway = true;
  const place = new DaemonPlace(async () => {
    if (isAway) throw new Error("away");
    return { url: "https://place.invalid", headers: {} };
  });
  await expect(place.endpoint()).rejects.toThrow("away");
  isAway = false;
  expect((await place.endpoint()).url).toBe("https://place.invalid");
});
