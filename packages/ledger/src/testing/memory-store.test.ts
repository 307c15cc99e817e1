import { LetheError } from "@lethe/core";
import { storeContract } from "@lethe/testing";
import { memoryStore } from "./memory-store.ts";

storeContract("memory", async () => {
  const store = memoryStore();
  return {
    store,
    async open() {
      let closed = false;
      return {
        ...store,
        readAll: async () => {
          if (closed)
            throw new LetheError("ledger.unreadable", "the handle is closed", { fix: "open another" });
          return store.readAll();
        },
        close: async () => {
          closed = true;
        },
      };
    },
    dispose: () => store.close(),
  };
});
