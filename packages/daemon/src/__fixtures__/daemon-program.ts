import { startDaemon } from "../daemon.ts";
import type { DaemonOptions } from "../daemon-options.ts";
import { testOptions } from "./test-options.ts";

/** A daemon as a process of its own: options as JSON in the first argument, its address as JSON on stdout. */
const options = JSON.parse(process.argv[2]!) as Partial<DaemonOptions>;
startDaemon(testOptions({ env: process.env, ...options })).then(
  (daemon) => {
    process.once("SIGTERM", () => void daemon.close().then(() => process.exit(0)));
    process.stdout.write(`${JSON.stringify({ url: daemon.url })}\n`);
  },
  (error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  },
);
