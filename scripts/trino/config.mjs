import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Spells a properties file of Java. */
const properties = (entries) =>
  Object.entries(entries)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");

/** Every listener is bound to this address, and no other is announced. */
export const loopback = "127.0.0.1";

/** The catalogs of every node: tables in memory, TPC-H as it is computed, and Parquet below a folder, by Hive and by Iceberg, each with its own metastore of files. */
const catalogsOf = (warehouse) => ({
  memory: { "connector.name": "memory", "memory.max-data-per-node": "512MB" },
  tpch: { "connector.name": "tpch" },
  hive: {
    "connector.name": "hive",
    "fs.native-local.enabled": true,
    "local.location": join(warehouse, "hive"),
    "hive.metastore": "file",
    "hive.metastore.catalog.dir": "local:///",
    "hive.storage-format": "PARQUET",
    "hive.security": "allow-all",
    "hive.max-partitions-per-writers": 1000,
  },
  iceberg: {
    "connector.name": "iceberg",
    "fs.native-local.enabled": true,
    "local.location": join(warehouse, "iceberg"),
    "iceberg.catalog.type": "TESTING_FILE_METASTORE",
    "hive.metastore.catalog.dir": "local:///",
    "iceberg.file-format": "PARQUET",
  },
});

/** Who may do what, while nobody proves who he is: `owner` everything, and everybody else, such as `lethe`, reads. */
const rules = {
  catalogs: [{ user: "owner", allow: "all" }, { allow: "read-only" }],
  schemas: [{ user: "owner", owner: true }, { owner: false }],
  tables: [
    { user: "owner", privileges: ["SELECT", "INSERT", "DELETE", "UPDATE", "OWNERSHIP", "GRANT_SELECT"] },
    { privileges: ["SELECT"] },
  ],
  queries: [{ user: "owner", allow: ["execute", "kill", "view"] }, { allow: ["execute"] }],
  system_information: [{ user: "owner", allow: ["read"] }],
};

/** Writes what a node reads at its start, below its own folder, and returns the arguments of `java` that name it. */
export function writeConfig({
  folder,
  warehouse,
  server,
  port,
  discovery,
  isCoordinator,
  works,
  heapMiB,
  extra,
}) {
  const etc = join(folder, "etc");
  const catalogs = join(etc, "catalog");
  const spill = join(folder, "spill");
  for (const made of [
    catalogs,
    spill,
    join(folder, "data"),
    join(warehouse, "hive"),
    join(warehouse, "iceberg"),
  ])
    mkdirSync(made, { recursive: true });
  for (const [name, entries] of Object.entries(catalogsOf(warehouse)))
    writeFileSync(join(catalogs, `${name}.properties`), properties(entries));
  writeFileSync(join(etc, "rules.json"), JSON.stringify(rules));
  writeFileSync(
    join(etc, "access-control.properties"),
    properties({ "access-control.name": "file", "security.config-file": join(etc, "rules.json") }),
  );
  writeFileSync(
    join(etc, "log.properties"),
    properties({ io: "WARN", "io.trino": "WARN", "io.airlift": "WARN", org: "WARN" }),
  );
  // A query may take half a node's heap; what it needs beyond that, it spills.
  const headroom = Math.round(heapMiB * 0.25);
  const perQuery = Math.round(heapMiB * 0.5);
  writeFileSync(
    join(etc, "config.properties"),
    properties({
      coordinator: isCoordinator,
      ...(isCoordinator ? { "node-scheduler.include-coordinator": works } : {}),
      "http-server.http.port": port,
      "discovery.uri": discovery,
      "plugin.dir": join(server, "plugin"),
      "catalog.config-dir": catalogs,
      "access-control.config-files": join(etc, "access-control.properties"),
      "memory.heap-headroom-per-node": `${headroom}MB`,
      "query.max-memory-per-node": `${perQuery}MB`,
      "query.max-memory": "8GB",
      // Plans of thousands of statements a minute, kept for a quarter of an hour, would fill the heap.
      "query.min-expire-age": "20s",
      "query.max-history": 50,
      "spill-enabled": true,
      "spiller-spill-path": spill,
      "spiller-max-used-space-threshold": 0.99,
      ...extra,
    }),
  );
  const node = {
    "node.environment": "lethe",
    "node.id": `node-${port}`,
    "node.data-dir": join(folder, "data"),
    "node.internal-address": loopback,
    "node.bind-ip": loopback,
  };
  return [
    `-Xmx${heapMiB}M`,
    "-XX:+UseG1GC",
    "-XX:G1HeapRegionSize=16M",
    "-XX:ReservedCodeCacheSize=256M",
    "-XX:+ExplicitGCInvokesConcurrent",
    "-XX:+ExitOnOutOfMemoryError",
    "-XX:-OmitStackTraceInFastThrow",
    "-Dfile.encoding=UTF-8",
    "-Djdk.attach.allowAttachSelf=true",
    "-Djdk.nio.maxCachedBufferSize=2000000",
    `-Djava.io.tmpdir=${join(folder, "data")}`,
    "--enable-native-access=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",
    ...Object.entries(node).map(([name, value]) => `-D${name}=${value}`),
    `-Dlog.levels-file=${join(etc, "log.properties")}`,
    `-Dconfig=${join(etc, "config.properties")}`,
    "-cp",
    join(server, "lib", "*"),
    "io.trino.server.TrinoServer",
  ];
}
