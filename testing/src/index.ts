export { collected } from "./collected.ts";
export {
  type EngineDialect,
  type EngineSubject,
  engineContract,
  peopleRows,
} from "./contracts/engine-contract.ts";
export { type StoreSubject, storeContract } from "./contracts/store-contract.ts";
export { installPacked } from "./packed/install-packed.ts";
export { type ServerWith, serverWith } from "./postgres/server-with.ts";
export { hasPostgres, type PostgresServer, startPostgres } from "./postgres/start-postgres.ts";
export { askTrino, freshTable, hasTrino, type TrinoCell } from "./trino/ask-trino.ts";
export { type TrinoTables, trinoTables, trinoUrlOf } from "./trino/trino-tables.ts";
