// npm run trino [-- --workers N] [--port P] [--heap MiB] [--folder PATH] [--secure PATH]: starts a Trino on this machine's loopback, prints its address, and runs until it is interrupted.
// The tables lie below a folder that is removed at the end; --folder keeps them in one of yours.
// --secure listens with TLS too, where a password or a token must be shown, and keeps them, and the certificate, in a folder that it makes.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { freePort, startTrino } from "./cluster.mjs";
import { secure } from "./secure.mjs";

const { values } = parseArgs({
  options: {
    workers: { type: "string", default: "0" },
    port: { type: "string" },
    heap: { type: "string" },
    folder: { type: "string" },
    secure: { type: "string" },
  },
});
const number = (text) => (text === undefined ? undefined : Number(text));

const trino = await startTrino({
  workers: number(values.workers),
  port: number(values.port),
  heapMiB: number(values.heap),
  warehouse: values.folder,
  ...(values.secure === undefined ? {} : secure(resolve(values.secure), await freePort())),
});
// The first lines are for programs.
console.log(`LETHE_TRINO=${trino.url}`);
if (values.secure !== undefined) console.log(`LETHE_TRINO_SECURE=${resolve(values.secure)}`);
console.log(
  "user owner may write, everybody else reads; catalogs memory, tpch, hive, iceberg; Ctrl-C ends it",
);

const end = async () => {
  await trino.stop();
  process.exit(0);
};
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, end);
