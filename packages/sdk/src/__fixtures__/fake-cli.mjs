// Stands in for `sandbox-agent`: answers /v1/health. What it is told to do comes in FAKE_CLI.
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";

const mode = process.env.FAKE_CLI ?? "";
const port = Number(process.argv[process.argv.indexOf("--port") + 1]);
const host = process.argv[process.argv.indexOf("--host") + 1];
const note = (line) => process.env.FAKE_CLI_NOTES && appendFileSync(process.env.FAKE_CLI_NOTES, `${line}\n`);

note(`start ${port}`);
process.on("SIGTERM", () => {
  note("SIGTERM");
  if (mode !== "stubborn") process.exit(0);
});

if (mode === "crash") {
  console.error("the data directory is in use by another daemon");
  process.exit(3);
}
if (mode === "mute") {
  console.error("thinking about it");
  setInterval(() => {}, 1000);
} else if (mode === "port-taken") {
  console.error(`listen EADDRINUSE: address already in use ${host}:${port}`);
  process.exit(1);
} else {
  createServer((request, response) => {
    const { SANDBOX_AGENT_TOKEN: token, SANDBOX_AGENT_DATA_DIR: dataDir } = process.env;
    const answer = { status: "ok", pid: process.pid, token, dataDir, argv: process.argv };
    response.writeHead(request.url === "/v1/health" ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  }).listen(port, host);
}
