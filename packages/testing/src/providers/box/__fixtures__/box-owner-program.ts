import { openBoxHost } from "../box-host.ts";

// Makes a box in which something runs, tells what is there, and waits to be killed.
const host = await openBoxHost();
const box = await host.create({ id: "orphan", home: "/home/user" });
await box.exec(["sleep", "1000"], { detached: true });
console.log(JSON.stringify({ leftovers: box.leftovers() }));
