// Opens the store it is told, says so, and keeps it until it is killed.
import { openSqliteStore } from "../open-sqlite-store.ts";

const [file = ""] = process.argv.slice(2);
const store = await openSqliteStore(file);
await store.putProfile({ profileId: "of the holder", name: "", profile: null, updatedAt: 0 });
process.stdout.write("open\n");
setInterval(() => {}, 1000);
