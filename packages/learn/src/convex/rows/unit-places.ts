import { elementAt } from "@lethe/core/numeric";
import { mostRows } from "./unit-gradient.ts";
import type { UnitRows } from "./unit-rows.ts";

/** The places that a unit's gradient may touch: each once. */
export interface UnitPlaces {
  readonly places: Int32Array;
  /** The first of each unit, and at the end their number. */
  readonly from: Int32Array;
}

/** Returns the places of the rows of each unit that count. Of units with one row each they are those of the rows. */
export function unitPlaces({ features, starts }: UnitRows): UnitPlaces {
  const units = starts.length - 1;
  if (starts[units] === units) return features;
  const places = new Int32Array(features.places.length);
  const from = new Int32Array(units + 1);
  let next = 0;
  for (let unit = 0; unit < units; unit += 1) {
    const first = elementAt(starts, unit);
    const end = Math.min(elementAt(starts, unit + 1), first + mostRows);
    const own = features.places.subarray(elementAt(features.from, first), elementAt(features.from, end));
    for (const place of new Set(own)) {
      places[next] = place;
      next += 1;
    }
    from[unit + 1] = next;
  }
  return { places, from };
}
