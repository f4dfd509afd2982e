// A program that starts a daemon (argv: the bundled spawn module, the daemon's program). PARENT: how it takes a signal.
const { spawnSandboxAgent } = await import(process.argv[2]);
const daemon = await spawnSandboxAgent({ binaryPath: process.argv[3] });

if (process.env.PARENT === "handles-sigint") {
  process.once("SIGINT", async () => {
    const health = await fetch(`${daemon.baseUrl}/v1/health`);
    console.log(`cleaned up, the daemon answered ${health.status}`);
    process.exit(7);
  });
}
console.log(`daemon ${daemon.child.pid}`);
if (process.env.PARENT === "exits") process.exit(0);
