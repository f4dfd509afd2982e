import { describeEventStore } from "../contract/describe-event-store.ts";
import { MemoryStore } from "./memory-store.ts";

describeEventStore(
  "memory",
  async () => ({
    store: new MemoryStore(),
    reopen: async () => new MemoryStore(),
    destroy: async () => {},
  }),
  { forgetsBecause: "memory is gone with the process" },
);
