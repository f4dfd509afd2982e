/** In the sandbox's own loopback everything is free. */
export const relayedPort = 2468;

/** Starts the daemon, is reached by a socket and hands every connection on to it, and ends as it ends. */
export const relayProgram = `
const { chmodSync, rmSync } = require("node:fs");
const net = require("node:net");
const [, , path, ...args] = process.argv;
const daemon = require("node:child_process").spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
rmSync(path, { force: true });
net.createServer({ allowHalfOpen: true }, (outer) => {
  const inner = net.connect({ port: ${relayedPort}, host: "127.0.0.1", allowHalfOpen: true });
  outer.pipe(inner).pipe(outer);
  const end = () => (outer.destroy(), inner.destroy());
  for (const socket of [outer, inner]) socket.on("error", end);
}).listen(path, () => chmodSync(path, 0o666));
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => daemon.kill(signal));
daemon.on("exit", (code, signal) => process.exit(code ?? 128 + require("node:os").constants.signals[signal]));
`;
