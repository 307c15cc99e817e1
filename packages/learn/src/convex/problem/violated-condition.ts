import { LetheError } from "@lethe/core";

/**
 * A description that a theorem does not cover: names the parameter, the theorem and its condition, and what would be accepted. The values are the caller's
 * own, never of the data.
 */
export function violatedCondition(violation: {
  readonly name: string;
  readonly value: unknown;
  readonly condition: string;
  readonly theorem: string;
  readonly fix: string;
}): LetheError {
  const { name, value, condition, theorem, fix } = violation;
  const shown = String(value).slice(0, 60);
  return new LetheError("parameter.invalid", `${theorem} asks for ${condition}; ${name} is ${shown}`, {
    fix,
    fields: { name, condition, theorem },
  });
}
