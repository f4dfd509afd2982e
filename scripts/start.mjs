// `npm start [-- flags of sandbox-agent server]`: install and build what is missing, then be the daemon.
import { createRequire } from "node:module";
import { cliBundle, prepareCli } from "./setup.mjs";

await prepareCli();
process.argv = [process.execPath, cliBundle, "server", ...process.argv.slice(2)];
createRequire(import.meta.url)(cliBundle);
