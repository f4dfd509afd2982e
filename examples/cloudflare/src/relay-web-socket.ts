/** A WebSocket of the box, handed on to who asked for it until `cut`; `done` is called when it is over. */
export function relayWebSocket(answer: Response, cut: AbortSignal, done: () => void): Response {
  const inner = answer.webSocket!;
  const { 0: client, 1: outer } = new WebSocketPair();
  inner.accept();
  outer.accept();
  relay(inner, outer, done);
  relay(outer, inner, done);
  cut.addEventListener("abort", () => {
    done();
    outer.close(1011, "The daemon ended.");
  });
  return new Response(null, { status: 101, webSocket: client, headers: answer.headers });
}

function relay(from: WebSocket, to: WebSocket, over: () => void): void {
  from.addEventListener("message", ({ data }) => to.send(data));
  from.addEventListener("close", ({ code, reason }) => {
    over();
    to.close(sendable(code), reason);
  });
  from.addEventListener("error", () => {
    over();
    to.close(1011, "The other side failed.");
  });
}

/** Those that say that no code came cannot be sent. */
const sendable = (code: number) => (code === 1005 || code === 1006 ? 1000 : code);
