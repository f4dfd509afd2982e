// `npm run docs [-- --port 3333]`: the documentation in a browser, from the files of this clone, without a network.
import { parseArgs } from "node:util";
import { prepare, stop } from "./setup.mjs";

const { values } = parseArgs({ options: { port: { type: "string", default: "3333" } } });
const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65_535)
  stop(`--port is a number from 0 to 65535, not ${values.port}.`);

await prepare();
const { serveDocs } = await import("./docs/serve.mjs");
const site = await serveDocs({ port }).catch((error) => {
  if (error.code !== "EADDRINUSE") throw error;
  stop(`Port ${port} is taken. Name another: npm run docs -- --port ${port + 1}`);
});
console.log(`The documentation is at ${site.url} – Ctrl-C ends it.`);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void site.close());
