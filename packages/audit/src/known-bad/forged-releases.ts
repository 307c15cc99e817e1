import { elementAt } from "@lethe/core/numeric";
import type { Estimate, Release, ReleasedCell } from "@lethe/gateway";

/** A release that says what its plan cannot give, signed by the ledger's own key: a control that verify must refuse. */
export interface ForgedRelease {
  readonly id: string;
  readonly fault: string;
  readonly question: string;
  /** The check that must fail. */
  readonly check: string;
  readonly forge: (release: Release) => Release;
}

const bySector = "SELECT sector, COUNT(*) AS n FROM people GROUP BY sector";

const withEstimates =
  (change: (estimate: Estimate) => ReleasedCell, column: number) =>
  (release: Release): Release => ({
    ...release,
    rows: release.rows.map((row) => row.map((cell, at) => (at === column ? change(cell as Estimate) : cell))),
  });

const withCertificate = (release: Release, change: Partial<Release["certificate"]>): Release => ({
  ...release,
  certificate: { ...release.certificate, ...change },
});

/** For a table `people` whose units' contributions are limited, with declared sectors. A new one is an entry here. */
export const forgedReleases: readonly ForgedRelease[] = [
  {
    id: "dropped-group",
    fault: "a declared group is left out",
    question: bySector,
    check: "groups",
    forge: (release) => ({ ...release, rows: release.rows.slice(1) }),
  },
  {
    id: "doubled-group",
    fault: "one group's row stands in another's place",
    question: bySector,
    check: "groups",
    forge: (release) => ({ ...release, rows: [elementAt(release.rows, 0), ...release.rows.slice(0, -1)] }),
  },
  {
    id: "invented-group",
    fault: "a group that nobody declared is added",
    question: bySector,
    check: "groups",
    forge: (release) => ({
      ...release,
      rows: [...release.rows, ["moon", ...elementAt(release.rows, 0).slice(1, 2)]],
    }),
  },
  {
    id: "turned-order",
    fault: "rows are in another order than the question asks",
    question: `${bySector} ORDER BY n DESC`,
    check: "groups",
    forge: (release) => ({ ...release, rows: [...release.rows].reverse() }),
  },
  {
    id: "added-note",
    fault: "a note is added that praises the answer",
    question: bySector,
    check: "notes",
    forge: (release) => ({ ...release, notes: [...release.notes, "This answer is exact."] }),
  },
  {
    id: "removed-notes",
    fault: "the notes that warn of limits are left out",
    question: bySector,
    check: "notes",
    forge: (release) => ({ ...release, notes: [] }),
  },
  {
    id: "narrowed-interval",
    fault: "intervals are narrower than the noise",
    question: bySector,
    check: "intervals",
    forge: withEstimates(({ value }) => ({ value, lower: value, upper: value }), 1),
  },
  {
    id: "computed-otherwise",
    fault: "a column is computed from other values than those shown",
    question: "SELECT COUNT(*) AS n, COUNT(*) + 1 AS more FROM people",
    check: "computed",
    forge: withEstimates((estimate) => {
      if (estimate.value === null) throw new TypeError("a count was released without a value");
      return { ...estimate, value: estimate.value + 1 };
    }, 1),
  },
  {
    id: "cheaper-charge",
    fault: "the charge is less than the noise cost",
    question: bySector,
    check: "price",
    forge: (release) =>
      withCertificate(release, { charge: { measure: "approximate", epsilon: "1/1000", delta: "0" } }),
  },
  {
    id: "quieter-noise",
    fault: "the plan states less noise than its event",
    question: bySector,
    check: "event",
    forge: (release) => {
      const { plan } = release.certificate;
      const noise = { mechanism: "discrete-laplace@1", scale: "1/100" } as const;
      const measurements = plan.measurements.map((each) => ({ ...each, noise }));
      return withCertificate(release, { plan: { ...plan, measurements } });
    },
  },
];
