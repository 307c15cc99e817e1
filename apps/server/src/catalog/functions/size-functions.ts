import type { ScalarFunction, ScalarFunctions } from "./call.ts";

/** Nothing is told of how much data there is. */
const nothing: ScalarFunction = () => 0n;
const units = ["bytes", "kB", "MB", "GB", "TB", "PB"];

/** Functions that would tell of sizes. */
export const sizeFunctions: ScalarFunctions = {
  pg_table_size: nothing,
  pg_relation_size: nothing,
  pg_total_relation_size: nothing,
  pg_indexes_size: nothing,
  pg_database_size: nothing,
  pg_tablespace_size: nothing,
  pg_size_pretty: ([size]) => {
    let [value, unit] = [Number(size), 0];
    while (
      Math.abs(value) >= (unit === 0 ? 10_240 : 20_479.5) / (unit === 0 ? 1 : 2) &&
      unit < units.length - 1
    ) {
      value /= 1_024;
      unit += 1;
    }
    return `${Math.round(value)} ${units[unit]}`;
  },
};
