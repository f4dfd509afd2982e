import { boxId, boxQuery, fileToWrite, keepMs, logBytes, newBox, portOf } from "./box-requests.ts";
import { BoxError, type Boxes, controlPort, type Refusal, refusals } from "./boxes.ts";

/** Of what the provider of the runtime and the Worker say to each other. */
export const apiVersion = 1;
const minKeyChars = 32;

/** Answers every request to the Worker. Without a key that is set and long enough it serves nobody. */
export async function serve(request: Request, boxes: Boxes, key: string | undefined): Promise<Response> {
  try {
    await authorize(request, key);
    return await route(request, boxes);
  } catch (error) {
    if (error instanceof BoxError) return refused(error);
    if (error instanceof SyntaxError) return refused(refusals.wrong("The body is not JSON."));
    console.error(error);
    return refused({ status: 500, code: "failed", message: `The Worker failed: ${String(error)}` });
  }
}

/** Where a request is meant to go to a port of a box. */
export function portOfBox(
  url: string,
): { readonly id: string; readonly port: number; readonly path: string } | undefined {
  const { pathname, search } = new URL(url);
  const match = /^\/boxes\/([^/]+)\/port\/([^/]+)(\/.*)?$/.exec(pathname);
  if (!match) return undefined;
  const port = portOf(match[2]!);
  if (port === controlPort)
    throw new BoxError({ status: 403, code: "forbidden", message: `Port ${port} of a box is the Worker's own.` });
  return { id: boxId(match[1]!), port, path: `${match[3] ?? "/"}${search}` };
}

export async function authorize({ headers }: Pick<Request, "headers">, key: string | undefined): Promise<void> {
  if (key === undefined || key.length < minKeyChars) {
    const message = `The Worker has no key: set one of at least ${minKeyChars} characters with \`npx wrangler secret put SANDBOX_AGENT_KEY\`.`;
    throw new BoxError({ status: 503, code: "without_key", message });
  }
  const given = /^Bearer (.+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? "";
  if (!(await isSame(given, key)))
    throw new BoxError({ status: 401, code: "unauthorized", message: "The key is missing or not the Worker's." });
}

async function route(request: Request, boxes: Boxes): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const inside = portOfBox(request.url);
  if (inside) return boxes.fetch(inside.id, inside.port, insideRequest(request, inside));
  const [first, name, action, ...rest] = pathname.slice(1).split("/");
  if (pathname === "/" && request.method === "GET")
    return json(200, { service: "sandbox-agent-boxes", version: apiVersion });
  if (first !== "boxes" || rest.length > 0) throw new BoxError(noRoute(request));
  if (name === undefined && request.method === "GET") return json(200, await boxes.list(boxQuery(searchParams)));
  if (name === undefined) throw new BoxError(noRoute(request));
  const id = boxId(name);
  switch (`${request.method} ${action ?? ""}`.trim()) {
    case "PUT":
      return json(200, await boxes.create(id, await newBox(request)));
    case "GET": {
      const found = await boxes.look(id);
      if (found === undefined) throw new BoxError(refusals.unknown(id));
      return json(200, found);
    }
    case "DELETE":
      await boxes.destroy(id);
      return new Response(null, { status: 204 });
    case "POST keep":
      return json(200, await boxes.keep(id, await keepMs(request)));
    case "PUT daemon":
      await boxes.start(id, request.body);
      return new Response(null, { status: 204 });
    case "PUT file":
      await boxes.write(id, { ...fileToWrite(searchParams), body: request.body });
      return new Response(null, { status: 204 });
    case "GET logs":
      return new Response(await boxes.logs(id, logBytes(searchParams)));
    default:
      throw new BoxError(noRoute(request));
  }
}

/** As the box sees it: the key stays here. */
function insideRequest(request: Request, { port, path }: { readonly port: number; readonly path: string }): Request {
  const inner = new Request(`http://127.0.0.1:${port}${path}`, request);
  inner.headers.delete("authorization");
  return inner;
}

/** Takes as long for every key that is wrong. */
async function isSame(given: string, key: string): Promise<boolean> {
  const digest = async (text: string) =>
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const [first, second] = await Promise.all([digest(given), digest(key)]);
  let differences = 0;
  for (const [index, byte] of first.entries()) differences |= byte ^ second[index]!;
  return differences === 0;
}

export function refused({ status, code, message, retryAfterSeconds }: Refusal): Response {
  const headers = retryAfterSeconds === undefined ? undefined : { "retry-after": String(retryAfterSeconds) };
  return json(status, { error: { code, message } }, headers);
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });

const noRoute = ({ method, url }: Request): Refusal => ({
  status: 404,
  code: "no_route",
  message: `There is no ${method} ${new URL(url).pathname}.`,
});
