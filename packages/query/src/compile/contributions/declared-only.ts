import type { KeyValue } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import type { Dialect } from "../../dialects/dialect.ts";
import { keyExpressions } from "../../plan/groupings.ts";
import type { Plan } from "../../plan/plan.ts";
import { decodeKey } from "../../plan/release-program.ts";
import type { ValueWriter } from "../../sql/value-writer.ts";
import { holdsDeclared } from "./holds-declared.ts";
import type { QuestionRows } from "./question-rows.ts";

/** Drops rows of undeclared keys before groups are counted against k, where there can be any. Declared keys are every combination of each key's. */
export function declaredOnly(plan: Plan, rows: QuestionRows, dialect: Dialect): readonly string[] {
  const { program, parts } = plan.keys;
  const expressions = keyExpressions(plan);
  if (program.kind !== "public") return [];
  const { write, likely } = dialect;
  const declared = program.declared.map((values) => decodeKey(values, parts));
  return rows.keys.flatMap((key, at) => {
    const values = [...new Set(declared.map((values) => values[at] ?? null))];
    if (holdsDeclared(plan, elementAt(expressions, at), values)) return [];
    const present = values.filter((value): value is NonNullable<KeyValue> => value !== null);
    const isIn =
      present.length === 0
        ? write.truth(false)
        : write.isIn(
            key,
            present.map((value) => keyLiteral(value, dialect)),
          );
    return [likely(values.includes(null) ? orMissing(key, isIn, write) : isIn)];
  });
}

/** A condition that also holds where the key is NULL. */
export function orMissing(key: string, condition: string, write: ValueWriter): string {
  return write.enclosed(write.some([write.isMissing(key), condition]));
}

export function keyLiteral(value: NonNullable<KeyValue>, dialect: Dialect): string {
  if (typeof value === "string") return dialect.text(value);
  if (typeof value === "boolean") return dialect.write.truth(value);
  return typeof value === "bigint" ? `${value}` : dialect.double(value);
}
