import type { Plan } from "@lethe/query";
import type { Certificate } from "../format/release.ts";
import { beyondLimits } from "./beyond-limits.ts";
import { boundedUnits } from "./bounded-units.ts";
import { computedColumns } from "./computed-columns.ts";
import { cutValues } from "./cut-values.ts";
import { distinctValues } from "./distinct-values.ts";
import { extremes } from "./extremes.ts";
import { hiddenGroups } from "./groups/hidden-groups.ts";
import { keptGroups } from "./groups/kept-groups.ts";
import { shownKeys } from "./groups/shown-keys.ts";
import { learnedBounds } from "./learned-bounds.ts";
import { limitedTables } from "./limited-tables.ts";
import { noisyChoice } from "./noisy-choice.ts";
import { pilotAlone } from "./pilot-alone.ts";
import { releasedValues } from "./released-values.ts";
import { roundedFilters } from "./rounded-filters.ts";
import { target } from "./target.ts";
import { totals } from "./totals.ts";
import { unmatchedWords } from "./unmatched-words.ts";

/** In the order in which a release says them. */
const ofPlan: readonly ((plan: Plan) => Iterable<string>)[] = [
  boundedUnits,
  limitedTables,
  learnedBounds,
  cutValues,
  beyondLimits,
  totals,
  distinctValues,
  noisyChoice,
  extremes,
  computedColumns,
  keptGroups,
  shownKeys,
  releasedValues,
  unmatchedWords,
  roundedFilters,
  hiddenGroups,
];

const ofCertificate: readonly ((certificate: Certificate) => Iterable<string>)[] = [target, pilotAlone];

/** Every note that a release must bear, and no other: a function of its certificate alone. */
export function notesOf(certificate: Certificate): readonly string[] {
  return [
    ...ofPlan.flatMap((notes) => [...notes(certificate.plan)]),
    ...ofCertificate.flatMap((notes) => [...notes(certificate)]),
  ];
}
