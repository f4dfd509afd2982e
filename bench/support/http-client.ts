import { Agent, request } from "node:http";

const agent = new Agent({ keepAlive: true });
const json = { "content-type": "application/json" };
const tokens = new Map<string, string>();

/** Send this token with every request to the server from now on. */
export function setToken(url: string, token: string): void {
  tokens.set(new URL(url).origin, token);
}

export function tokenOf(url: string): string | undefined {
  return tokens.get(new URL(url).origin);
}

export function credentials(url: string): { authorization?: string } {
  const token = tokenOf(url);
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

/** One JSON request; throws on anything but success. */
export function call<T>(url: string, method = "GET", body?: unknown): Promise<T> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method, agent, headers: { ...credentials(url), ...(payload === undefined ? {} : json) } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          if ((response.statusCode ?? 500) >= 300)
            reject(new Error(`${method} ${url}: ${response.statusCode} ${text}`));
          else resolve((text === "" ? undefined : JSON.parse(text)) as T);
        });
      },
    );
    sent.on("error", reject);
    sent.end(payload);
  });
}

/** Read an answer to its end without looking at it; answers its length. With a body it is a POST. */
export function drain(url: string, body?: unknown): Promise<number> {
  const headers = { ...credentials(url), ...(body === undefined ? {} : json) };
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers, method: body === undefined ? "GET" : "POST" }, (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on("error", reject);
      response.on("end", () => resolve(bytes));
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
