import { peopleStoreContract } from "../../../../testing/src/contracts/people-store-contract.ts";
import { memoryAuditLog } from "../testing/memory-audit-log.ts";
import { memoryPeople } from "../testing/memory-people.ts";

peopleStoreContract("memory", async () => {
  const log = memoryAuditLog();
  return { store: memoryPeople(log), log, open: null, dispose: async () => {} };
});
