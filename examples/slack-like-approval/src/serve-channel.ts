import { createServer, type IncomingMessage, type Server } from "node:http";
import { json } from "node:stream/consumers";
import type { PermissionReply } from "@sandbox-agent-ts/sdk";
import type { Channel } from "./channel.ts";

interface Said {
  readonly from: string;
  readonly text: string;
}
interface Pressed {
  readonly id: number;
  readonly button: PermissionReply;
  readonly by: string;
}

/** The chat as an HTTP API, as Slack's events and actions are one: GET /posts, POST /posts, POST /actions. */
export function serveChannel(channel: Channel, onSaid: (said: Said) => void): Server {
  const routes: Record<string, (request: IncomingMessage) => Promise<[status: number, body: unknown]>> = {
    "GET /posts": async () => [200, channel.posts],
    "POST /posts": async (request) => {
      const said = (await json(request)) as Said;
      onSaid(said);
      return [202, channel.post(said.from, said.text)];
    },
    "POST /actions": async (request) => {
      const { id, button, by } = (await json(request)) as Pressed;
      const isPressed = channel.press(id, button, by);
      return isPressed
        ? [200, channel.posts[id - 1]]
        : [409, { error: `Post ${id} has no button ${button} (any more).` }];
    },
  };
  return createServer(async (request, response) => {
    const route =
      routes[`${request.method} ${request.url}`] ?? (async () => [404, { error: "There is nothing here." }]);
    const [status, body] = await route(request).catch((error: Error) => [400, { error: error.message }]);
    response.writeHead(status as number, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
}
