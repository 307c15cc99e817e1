import { invalidParameter } from "../../errors/lethe-error.ts";
import {
  compare,
  max,
  multiply,
  parseRational,
  type Rational,
  ratio,
  subtract,
  sum,
  toText,
  zero,
} from "../../numeric/rational.ts";
import type { Measure } from "./measure.ts";

/** A loss that is a vector of named rationals, each of which adds up under composition. */
type AdditiveLoss<Id extends string, C extends string> = { readonly measure: Id } & {
  readonly [K in C]: Rational;
};
type AdditiveText<Id extends string, C extends string> = { readonly measure: Id } & {
  readonly [K in C]: string;
};

function isRecord(x: unknown): x is Readonly<Record<string, unknown>> {
  return typeof x === "object" && x !== null && !Array.isArray(x);
}

/**
 * The measure whose losses have these coordinates, composed by adding coordinate by coordinate. All the measures of an
 * account are such; what makes the sum a theorem is said where the measure is declared.
 */
export function additiveMeasure<const Id extends string, const C extends string>(
  id: Id,
  coordinates: readonly C[],
): Measure<AdditiveLoss<Id, C>, AdditiveText<Id, C>> {
  type Loss = AdditiveLoss<Id, C>;
  const build = (coordinate: (name: C) => Rational): Loss =>
    Object.freeze({
      measure: id,
      ...Object.fromEntries(coordinates.map((name) => [name, coordinate(name)])),
    }) as Loss;
  const at = (loss: Loss, name: C): Rational => {
    if (loss.measure !== id) throw invalidParameter("loss", loss.measure, `a loss of the measure ${id}`);
    return loss[name];
  };

  return {
    id: id as Loss["measure"],
    zero: build(() => zero),
    compose(losses) {
      const all = [...losses];
      return build((name) => sum(all.map((loss) => at(loss, name))));
    },
    // The one place where a loss is multiplied by a count.
    power(loss, n) {
      if (n < 0n) throw invalidParameter("count", n, "≥ 0");
      return build((name) => multiply(ratio(n), at(loss, name)));
    },
    fits: (loss, cap) => coordinates.every((name) => compare(at(loss, name), at(cap, name)) <= 0),
    left: (granted, spent) => build((name) => max(zero, subtract(at(granted, name), at(spent, name)))),
    toJson: (loss) =>
      ({
        measure: id,
        ...Object.fromEntries(coordinates.map((name) => [name, toText(at(loss, name))])),
      }) as AdditiveText<Id, C>,
    fromJson(json) {
      if (!isRecord(json) || json.measure !== id)
        throw invalidParameter("loss", json, `of the measure ${id}`);
      const known: readonly string[] = ["measure", ...coordinates];
      const unknown = Object.keys(json).find((key) => !known.includes(key));
      if (unknown !== undefined) throw invalidParameter("loss", unknown, `made of ${known.join(", ")} alone`);
      return build((name) => {
        const text = json[name];
        if (typeof text !== "string") throw invalidParameter(name, text, "a number as a text");
        const value = parseRational(text, name);
        if (compare(value, zero) < 0) throw invalidParameter(name, text, "≥ 0");
        return value;
      });
    },
  };
}
