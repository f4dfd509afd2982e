import { openBoxHost } from "../box-host.ts";

// Ends one box in good order, leaves another running, tells what is there of both, and waits to be killed.
const host = await openBoxHost();
const ended = await host.create({ id: "ended", home: "/home/user" });
await ended.freeze();
await ended.thaw();
await ended.run(["sh", "-c", "mkdir -p a/b && chmod 000 a/b a"]);
await ended.destroy();
const orphan = await host.create({ id: "orphan", home: "/home/user" });
await orphan.exec(["sleep", "1000"], { detached: true });
console.log(JSON.stringify({ ended: ended.leftovers(), orphan: orphan.leftovers() }));
