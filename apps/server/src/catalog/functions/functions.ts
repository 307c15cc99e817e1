import { arrayFunctions } from "./array-functions.ts";
import type { ScalarFunction, ScalarFunctions } from "./call.ts";
import { jsonFunctions } from "./json-functions.ts";
import { nameFunctions } from "./name-functions.ts";
import { numberFunctions } from "./number-functions.ts";
import { privilegeFunctions } from "./privilege-functions.ts";
import { sessionFunctions } from "./session-functions.ts";
import { usualGrants } from "./set-functions.ts";
import { sizeFunctions } from "./size-functions.ts";
import { standardFunctions } from "./standard-functions.ts";
import { textFunctions } from "./text-functions.ts";

const all: ReadonlyMap<string, ScalarFunction> = new Map(
  Object.entries<ScalarFunction>({
    ...sessionFunctions,
    ...nameFunctions,
    ...privilegeFunctions,
    ...sizeFunctions,
    ...textFunctions,
    ...arrayFunctions,
    ...numberFunctions,
    ...jsonFunctions,
    ...standardFunctions,
    acldefault: ([kind, owner], call) => usualGrants(kind ?? null, owner ?? null, call),
  } satisfies ScalarFunctions),
);

/** What statistics tell of anything: nothing happened yet. */
const noStatistics: ScalarFunction = (_, { run, result }) => {
  const category = run.catalog.types.categoryOf(result);
  if (category !== "N") return null;
  return run.catalog.types.fact(result).name === "int8" ? 0n : 0;
};

/** Returns what a function of this name does; null where it is not known here. */
export function scalarFunction(name: string): ScalarFunction | null {
  return all.get(name) ?? (/^pg_stat_get_/.test(name) ? noStatistics : null);
}
