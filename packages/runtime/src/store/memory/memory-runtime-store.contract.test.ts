import { describeRuntimeStore } from "../contract/describe-runtime-store.ts";
import { MemoryRuntimeStore } from "./memory-runtime-store.ts";

describeRuntimeStore(
  "memory",
  async () => {
    const store = new MemoryRuntimeStore();
    return {
      store,
      another: async () => store,
      reopen: async () => new MemoryRuntimeStore(),
      destroy: async () => {},
    };
  },
  { forgetsBecause: "memory is gone with the process" },
);
