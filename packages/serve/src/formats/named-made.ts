import { lossToJson } from "@lethe/core";
import { zeroLoss } from "@lethe/core/accounting";
import { lastElement } from "@lethe/core/numeric";
import type { MadeAnswer, Release } from "@lethe/gateway";
import { namedRows } from "./named-answer.ts";

/** Returns an answer as rows are drawn: in the form of the newest release, whose plan is that of the answer. */
export function asDrawn({ columns, rows, notes, plan, confidence, releases }: MadeAnswer): Release {
  const newest = lastElement(releases);
  const { groupings: _, over: __, others: ___, ...release } = newest;
  const { target: ____, pilot: _____, ...certificate } = release.certificate;
  return { ...release, columns, rows, notes, missing: [], certificate: { ...certificate, plan, confidence } };
}

/** The answer for programs: rows with named fields. */
export function namedMade(made: MadeAnswer): object {
  const { columns, notes, confidence, errors, of } = made;
  const nothing = lossToJson(zeroLoss(made.plan.price.measure));
  return {
    version: 1,
    columns,
    rows: namedRows(asDrawn(made)),
    price: nothing,
    charged: nothing,
    asOf: lastElement(of).at,
    confidence,
    notes,
    made: { of, errors },
  };
}
