import { peopleStoreContract } from "../../../../testing/src/contracts/people-store-contract.ts";
import { memoryPeople } from "../testing/memory-people.ts";

peopleStoreContract("memory", async () => {
  return { store: memoryPeople(), open: null, dispose: async () => {} };
});
