import type { Dialect } from "./dialect.ts";
import { duckdb } from "./duckdb/index.ts";
import { postgres } from "./postgres/index.ts";
import { trino } from "./trino/index.ts";

/** Every dialect by the name that engines state. A new one is a folder and a line here. */
export const dialects: Readonly<Record<string, Dialect>> = { duckdb, postgres, trino };

export type { Dialect } from "./dialect.ts";
export { duckdb } from "./duckdb/index.ts";
export { postgres, postgresTypes } from "./postgres/index.ts";
export { printQuery } from "./print-query.ts";
export { isTrinoType, trino } from "./trino/index.ts";
export { most as trinoSizes, stagesAtMost as trinoStages } from "./trino/size.ts";
export { withTrinoSeed } from "./trino/with-seed.ts";
