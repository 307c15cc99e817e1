// npm run trino [-- --workers N] [--port P] [--heap MiB] [--folder PATH]: starts a Trino on this machine's loopback, prints its address, and runs until it is interrupted.
// The tables lie below a folder that is removed at the end; --folder keeps them in one of yours.
import { parseArgs } from "node:util";
import { startTrino } from "./cluster.mjs";

const { values } = parseArgs({
  options: {
    workers: { type: "string", default: "0" },
    port: { type: "string" },
    heap: { type: "string" },
    folder: { type: "string" },
  },
});
const number = (text) => (text === undefined ? undefined : Number(text));

const trino = await startTrino({
  workers: number(values.workers),
  port: number(values.port),
  heapMiB: number(values.heap),
  warehouse: values.folder,
});
// The first line is for programs.
console.log(`LETHE_TRINO=${trino.url}`);
console.log(
  "user owner may write, everybody else reads; catalogs memory, tpch, hive, iceberg; Ctrl-C ends it",
);

const end = async () => {
  await trino.stop();
  process.exit(0);
};
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, end);
