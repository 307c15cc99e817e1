import { LetheError } from "@lethe/core";
import type { Expression, Plan } from "@lethe/query";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { deriveSensitivity } from "./derive/sensitivity.ts";
import type { Estimate, Release } from "./format/release.ts";
import { spentOf } from "./testing/forgeries/forgery.ts";
import { changed, leavesOf, withLeaf } from "./testing/leaves.ts";
import { ownWord } from "./testing/own-word.ts";
import { type Sample, sample, signer } from "./testing/people.ts";
import { newSigner, signed } from "./testing/sample-release.ts";
import { type Verification, verifyRelease } from "./verify-release.ts";

const json = (release: unknown): string => JSON.stringify(release, null, 1);
const namesOf = ({ checks }: Verification, outcome: string): string[] =>
  checks.filter((check) => check.outcome === outcome).map(({ name }) => name);
const full = (release: unknown, policy: string): Promise<Verification> =>
  verifyRelease(json(release), { policyText: policy, publicKeyPem: signer.publicKey });

const grouped =
  "SELECT sector, COUNT(*) AS n, SUM(change) AS total, AVG(wage) AS mean FROM people WHERE wage > 3 GROUP BY sector";

describe("a genuine release", () => {
  it.each<Sample>([
    { text: grouped },
    { text: grouped, measure: "pure" },
    { text: grouped, measure: "zcdp" },
    { text: grouped, adjacency: "replace-one", options: { mechanism: "gaussian" } },
    { text: grouped, unit: "id", adjacency: "replace-one" },
    { text: "SELECT COUNT(*) FROM people", adjacency: "replace-one" },
    { text: "SELECT SUM(change), VARIANCE(wage), STDDEV_POP(change) FROM people", adjacency: "replace-one" },
    { text: "SELECT city, COUNT(DISTINCT id) AS n, SUM(wage * 2) FROM people GROUP BY city", unit: "id" },
    { text: "SELECT city, VARIANCE(change) FROM people GROUP BY city", unit: "id", adjacency: "replace-one" },
    { text: "SELECT city, COUNT(*) FROM people GROUP BY city", measure: "zcdp", unit: "id" },
    { text: "SELECT MEDIAN(wage), MAX(wage), COUNT(*) FROM people" },
    { text: "SELECT sector, MEDIAN(wage) FROM people GROUP BY sector", measure: "pure", unit: "id" },
    {
      text: "SELECT city, MIN(change), AVG(change) FROM people GROUP BY city",
      unit: "id",
      measure: "zcdp",
      adjacency: "replace-one",
    },
    { text: "SELECT wage > 10, SUM(-change) FROM people GROUP BY 1 ORDER BY 2 LIMIT 2" },
    {
      text: "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 0.25, max_groups_contributed = 2) city, COUNT(*) FROM people GROUP BY city",
      unit: "id",
      options: { epsilon: null },
    },
  ])("$text, of $measure $unit $adjacency", async (given) => {
    const { release, policy } = await sample(given);
    const verification = await full(release, policy);
    expect(verification.checks.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    expect(namesOf(verification, "passed")).toEqual(
      expect.arrayContaining(["sensitivity", "event", "price", "question"]),
    );
    for (const name of namesOf(verification, "not-made"))
      expect(["plain-price", "intervals"]).toContain(name);
  });

  it("is what its file says, whatever the blanks and the order of members", async () => {
    const { release, policy } = await sample({ text: grouped });
    const reversed = JSON.stringify(
      JSON.parse(json(release), (_, value) =>
        value && typeof value === "object" && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).reverse())
          : value,
      ),
    );
    const verification = await verifyRelease(reversed, {
      policyText: policy,
      publicKeyPem: signer.publicKey,
    });
    expect(namesOf(verification, "failed")).toEqual([]);
  });
});

describe("whatever the planner plans", () => {
  const argument = fc.constantFrom(
    "wage",
    "change",
    "wage * change",
    "-wage",
    "CASE WHEN wage > 9 THEN change END",
  );
  const aggregate = fc.oneof(
    fc.constantFrom("COUNT(*)", "COUNT(wage)", "COUNT(change)", "COUNT(DISTINCT id)"),
    fc
      .tuple(fc.constantFrom("SUM", "AVG", "VARIANCE", "STDDEV_POP", "SKEWNESS", "MEDIAN"), argument)
      .map(([name, x]) => `${name}(${x})`),
  );
  const question = fc.record({
    aggregates: fc.uniqueArray(aggregate, { minLength: 1, maxLength: 3 }),
    where: fc.constantFrom("", " WHERE wage > 3"),
    key: fc.constantFrom("", "sector", "wage > 10", "city"),
    unit: fc.constantFrom("row", "id"),
    adjacency: fc.constantFrom("add-or-remove-one", "replace-one"),
    measure: fc.constantFrom("pure" as const, "approximate" as const, "zcdp" as const),
    mechanism: fc.constantFrom(null, "laplace" as const, "gaussian" as const),
  });

  it("has the sensitivities, the event and the price that are derived here by other code", async () => {
    let verified = 0;
    await fc.assert(
      fc.asyncProperty(question, async ({ aggregates, where, key, unit, adjacency, measure, mechanism }) => {
        const listed = aggregates.filter((a) => unit === "id" || !a.includes("DISTINCT"));
        fc.pre(listed.length > 0);
        const select = [...(key ? [`${key} AS k`] : []), ...listed.map((a, at) => `${a} AS a${at}`)].join(
          ", ",
        );
        const text = `SELECT ${select} FROM people${where}${key ? ` GROUP BY ${key}` : ""}`;
        const made = await sample({ text, unit, adjacency, measure, options: { mechanism } }).catch(
          (error: unknown) => {
            // Private keys and Gaussian noise have no price in a pure account.
            if (error instanceof LetheError && measure === "pure") return null;
            throw error;
          },
        );
        fc.pre(made !== null);
        const { plan } = made!.release.certificate;
        for (const measurement of plan.measurements) {
          const { l1, l2Squared } = deriveSensitivity(measurement, plan);
          expect(measurement).toMatchObject({ l1: `${l1}`, l2Squared: `${l2Squared}` });
        }
        const { checks } = await full(made!.release, made!.policy);
        expect(checks.filter(({ outcome }) => outcome === "failed")).toEqual([]);
        verified += 1;
      }),
      { numRuns: 60, seed: 11 },
    );
    expect(verified).toBe(60);
  });
});

describe("what cannot be checked", () => {
  it("is said, and not counted as passed", async () => {
    const made = await sample({ text: grouped });
    const { release } = made;
    const verification = await verifyRelease(json(release));
    expect(namesOf(verification, "not-made")).toEqual([
      "signer",
      "policy",
      "unit",
      "limits",
      "columns",
      "public-keys",
      "question",
    ]);
    expect(verification.cannotShow.join("\n")).toMatch(/noise was drawn[\s\S]*--policy[\s\S]*--public-key/);
    const given = { policyText: made.policy, publicKeyPem: release.certificate.ledger.publicKey };
    expect((await verifyRelease(json(release), given)).cannotShow.join("\n")).not.toMatch(
      /--policy|--public-key/,
    );
  });
});

/** The checks that fail; "unreadable" when it is no release any more. */
async function failures(release: unknown, policy: string): Promise<readonly string[]> {
  try {
    return namesOf(await full(release, policy), "failed");
  } catch (error) {
    if (error instanceof LetheError && error.code === "release.invalid") return ["unreadable"];
    throw error;
  }
}

describe("tampering", () => {
  it("with any single value makes a check fail", async () => {
    const { release, policy } = await sample({ text: grouped });
    const genuine: unknown = JSON.parse(json(release));
    const unnoticed: string[] = [];
    let tried = 0;
    for (const [path] of leavesOf(genuine)) {
      tried += 1;
      if ((await failures(withLeaf(genuine, path, changed), policy)).length === 0)
        unnoticed.push(path.join("."));
    }
    expect(unnoticed).toEqual([]);
    expect(tried).toBeGreaterThan(150);
  });

  it("with the order or the number of rows makes a check fail", async () => {
    const { release, policy } = await sample({ text: grouped });
    for (const rows of [
      [...release.rows].reverse(),
      release.rows.slice(1),
      [...release.rows, ...release.rows],
    ]) {
      expect(await failures({ ...release, rows }, policy)).toContain("rows");
    }
  });

  it("and signing with a key of one's own does not help", async () => {
    const { release, policy } = await sample({ text: grouped });
    const forged = signed(
      { ...release, certificate: { ...release.certificate, requestId: "forged" } },
      newSigner(),
    );
    expect(await failures(forged, policy)).toEqual(["signer"]);
  });

  it("and swapping in the right key breaks the signature", async () => {
    const { release, policy } = await sample({ text: grouped });
    const forged = signed(release, newSigner());
    const ledger = { ...forged.certificate.ledger, publicKey: signer.publicKey };
    const swapped = { ...forged, certificate: { ...forged.certificate, ledger } };
    expect(await failures(swapped, policy)).toContain("signature");
  });
});

type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T;
type Draft = Mutable<Release>;

const leaves = (plan: Mutable<Plan>): Mutable<Plan["event"]>[] =>
  plan.event.kind === "compose" ? plan.event.events : [plan.event];
const halved = (text: string): string => {
  const [num, den = "1"] = text.split("/");
  return `${num}/${BigInt(den) * 2n}`;
};

/** Lies that the service itself signs, with the check that must see through each. */
const lies: [string, string, Sample, (draft: Draft) => void][] = [
  [
    "halved sensitivities, in plan and event alike",
    "sensitivity",
    { text: grouped, measure: "pure" },
    ({ certificate: { plan } }) => {
      for (const measurement of plan.measurements) measurement.l1 = `${BigInt(measurement.l1) / 2n}`;
      for (const leaf of leaves(plan)) if (leaf.kind === "laplace") leaf.l1 = `${BigInt(leaf.l1) / 2n}`;
    },
  ],
  [
    "an ℓ2 sensitivity that is one too low",
    "sensitivity",
    { text: grouped, measure: "zcdp" },
    ({ certificate: { plan } }) => {
      const measurement = plan.measurements.at(-1)!;
      const less = `${BigInt(measurement.l2Squared) - 1n}`;
      for (const leaf of leaves(plan))
        if ("l2Squared" in leaf && leaf.l2Squared === measurement.l2Squared) leaf.l2Squared = less;
      measurement.l2Squared = less;
    },
  ],
  [
    "less noise than the event says",
    "event",
    { text: grouped, measure: "pure" },
    ({ certificate: { plan } }) => {
      const { noise } = plan.measurements[0]!;
      if ("scale" in noise) noise.scale = halved(noise.scale);
    },
  ],
  [
    "less noise than was paid for, in plan and event alike",
    "price",
    { text: grouped, measure: "pure" },
    ({ certificate: { plan } }) => {
      for (const { noise } of plan.measurements) if ("scale" in noise) noise.scale = halved(noise.scale);
      for (const leaf of leaves(plan)) if (leaf.kind === "laplace") leaf.scale = halved(leaf.scale);
    },
  ],
  [
    "an event that leaves a measurement out",
    "event",
    { text: grouped },
    ({ certificate: { plan } }) => {
      leaves(plan).pop();
    },
  ],
  [
    "noise that is drawn twice and named once",
    "event",
    { text: "SELECT SUM(change), SUM(-change) FROM people", measure: "pure" },
    ({ certificate: { plan } }) => {
      const [first, second] = leaves(plan);
      expect(second).toEqual(first);
      leaves(plan).pop();
    },
  ],
  [
    "an exact answer",
    "sensitivity",
    { text: grouped },
    ({ certificate: { plan } }) => {
      plan.measurements[0]!.noise = { mechanism: "constant@1" };
      leaves(plan)[0] = { kind: "constant", version: 1 };
    },
  ],
  [
    "a charge below the price",
    "price",
    { text: grouped, measure: "pure" },
    ({ certificate }) => {
      for (const loss of [certificate.charge, certificate.plan.price])
        if ("epsilon" in loss) loss.epsilon = "1/1000";
    },
  ],
  [
    "a plain sum that does not add up",
    "plain-price",
    { text: grouped, measure: "pure" },
    ({ certificate }) => {
      for (const loss of [certificate.charge, certificate.plan.price])
        if ("epsilon" in loss) loss.epsilon = "49/100";
    },
  ],
  [
    "a further loss that is understated",
    "losses",
    { text: grouped, measure: "pure" },
    ({ certificate }) => {
      certificate.losses = [{ measure: "zcdp", rho: "1/1000000", delta: "0" }];
    },
  ],
  [
    "groups selected at the price of fewer",
    "event",
    { text: "SELECT city, COUNT(*) FROM people GROUP BY city", unit: "id" },
    ({ certificate: { plan } }) => {
      for (const leaf of leaves(plan)) if (leaf.kind === "select-groups") leaf.groups = "1";
    },
  ],
  [
    "units whose contribution nothing bounds",
    "sensitivity",
    { text: grouped, unit: "id" },
    ({ certificate: { plan } }) => {
      plan.contribution.enforced = false;
    },
  ],
  [
    "bounds that are not the policy's",
    "columns",
    { text: grouped },
    ({ certificate: { plan } }) => {
      const { wage } = plan.from.kind === "table" ? plan.from.columns : {};
      if (wage?.type === "number") wage.bounds = [0, 30];
    },
  ],
  ...(
    [
      [0, 30],
      [20, 60],
    ] as [number, number][]
  ).map((bounds): (typeof lies)[number] => [
    `a column read as if it held ${bounds.join(" to ")} only, where the policy is quoted rightly`,
    "columns",
    { text: grouped },
    ({ certificate: { plan } }) => {
      for (const sum of plan.sums)
        if (sum.kind !== "units" && sum.argument?.kind === "column" && sum.argument.name === "wage")
          sum.argument.domain = { ...sum.argument.domain, bounds } as Mutable<Expression>["domain"];
    },
  ]),
  [
    "public keys that come from the data",
    "public-keys",
    { text: grouped },
    ({ certificate: { plan } }) => {
      if (plan.keys.program.kind === "public") plan.keys.program.declared.push(["mining"]);
    },
  ],
  [
    "another adjacency",
    "unit",
    { text: "SELECT COUNT(*) FROM people WHERE wage > 1" },
    ({ certificate: { plan } }) => {
      plan.adjacency = "replace-one";
    },
  ],
  [
    "more groups a unit than the policy grants",
    "unit",
    { text: "SELECT city, COUNT(*) FROM people GROUP BY city", unit: "id" },
    ({ certificate: { plan } }) => {
      plan.contribution.groups += 1;
    },
  ],
  [
    "another policy",
    "policy",
    { text: grouped },
    ({ certificate: { plan } }) => {
      plan.policyHash = "0".repeat(64);
    },
  ],
  [
    "a filter that was not applied",
    "question",
    { text: grouped },
    ({ certificate: { plan } }) => {
      plan.where = null;
    },
  ],
  [
    "another question",
    "question",
    { text: grouped },
    ({ certificate: { plan } }) => {
      plan.text = plan.text.replace("wage > 3", "wage > 4");
    },
  ],
  [
    "narrowed intervals",
    "intervals",
    { text: grouped },
    ({ rows }) => {
      const count = rows[0]![1] as Estimate & { upper: number };
      count.upper -= 1;
    },
  ],
  [
    "groups said to be missing less often",
    "missing-groups",
    { text: "SELECT city, COUNT(*) FROM people GROUP BY city", unit: "id" },
    ({ missing }) => {
      missing[1]!.chance /= 2;
    },
  ],
  ...(
    [
      ["all notes removed", () => []],
      ["a note removed", (notes) => notes.slice(1)],
      ["a note that nothing says", (notes) => [...notes, "This answer is exact."]],
      ["notes said twice", (notes) => [...notes, ...notes]],
      ["notes in another order", (notes) => [...notes].reverse()],
    ] as [string, (notes: string[]) => string[]][]
  ).map(([name, change]): (typeof lies)[number] => [
    name,
    "notes",
    { text: grouped, unit: "id" },
    (draft) => {
      draft.notes = change(draft.notes);
    },
  ]),
  [
    "a key that is not declared",
    "answer",
    { text: grouped },
    ({ rows }) => {
      rows[0]![0] = "mining";
    },
  ],
  [
    "answers of measurements that do not exist",
    "measurements",
    { text: grouped },
    ({ certificate: { plan } }) => {
      const aggregate = plan.aggregates[0]!;
      if (aggregate.kind === "count") aggregate.count = "others";
    },
  ],
  [
    "more left than there is",
    "account",
    { text: grouped },
    (draft) => {
      const account = spentOf(draft);
      account.left = account.granted;
    },
  ],
  [
    "an understated advantage",
    "account",
    { text: grouped },
    (draft) => {
      const account = spentOf(draft);
      account.membershipAdvantage /= 2;
    },
  ],
  [
    "an understated advantage under zCDP",
    "account",
    { text: grouped, measure: "zcdp" },
    (draft) => {
      const account = spentOf(draft);
      account.membershipAdvantage /= 2;
    },
  ],
];

describe("a lie with a true signature", () => {
  it.each(lies)("%s: %s", async (_, check, given, lie) => {
    const { release, policy } = await sample(given);
    const draft = structuredClone(release) as Draft;
    lie(draft);
    const found = await failures(signed(draft as Release, signer), policy);
    expect(found).toContain(check);
    for (const name of ["rows", "signature", "signer"]) expect(found).not.toContain(name);
  });
});

describe("any single value, changed and truly signed", () => {
  it.each<Sample>([
    { text: grouped },
    { text: "SELECT city, COUNT(*) FROM people GROUP BY city", unit: "id", measure: "zcdp" },
  ])("is seen through, unless it is the service's own word: $text", async (given) => {
    const { release, policy } = await sample(given);
    const unnoticed: string[] = [];
    for (const [path] of leavesOf(JSON.parse(json(release)))) {
      const lie = withLeaf(release, path, changed) as Release;
      if ((await failures(signed(lie, signer), policy)).length === 0) unnoticed.push(path.join("."));
    }
    expect(unnoticed.filter((path) => !ownWord.some((word) => word.test(path)))).toEqual([]);
    expect(unnoticed).toContain("certificate.requestId");
  });
});

describe("hostile input", () => {
  let text = "";
  beforeAll(async () => {
    text = json((await sample({ text: "SELECT COUNT(*) FROM people" })).release);
  });
  const refused = async (input: string): Promise<void> => {
    await expect(verifyRelease(input)).rejects.toMatchObject({ name: "LetheError", code: "release.invalid" });
  };

  it.each([
    ["", "nothing"],
    ["{", "half a text"],
    ["null", "null"],
    ["[]", "a list"],
    ["[".repeat(100_000), "depth"],
    ['{"__proto__":{"version":1}}', "a prototype"],
    ['{"version":1,"version":1}', "a member twice"],
    [`"${"x".repeat(33 * 1024 * 1024)}"`, "size"],
  ])("%#: is refused", async (input) => refused(input));

  it("refuses unknown members and members written twice", async () => {
    await refused(text.replace('"version"', '"extra": 1, "version"'));
    await refused(text.replace('"version": 1', '"version": 1, "version": 1'));
    await refused(text.replace('"version"', '"__proto__": {}, "version"'));
  });

  it("never leaves by anything but a list of checks or release.invalid", async () => {
    const genuine: unknown = JSON.parse(text);
    const paths = [...leavesOf(genuine)].map(([path]) => path);
    const somewhere = fc
      .constantFrom(...paths)
      .chain((path) => fc.nat(path.length).map((cut) => path.slice(0, cut)));
    await fc.assert(
      fc.asyncProperty(somewhere, fc.jsonValue(), async (path, value) => {
        const found = await failures(
          withLeaf(genuine, path, () => value),
          "version: 1",
        ).catch((error: unknown) => {
          if (error instanceof LetheError && error.code === "policy.invalid") return ["policy"];
          throw error;
        });
        expect(Array.isArray(found)).toBe(true);
      }),
      { numRuns: 300, seed: 7 },
    );
  });

  it.each(["1e-999", "1e999", "9".repeat(400), `1/${"9".repeat(1000)}`])(
    "sees through noise of any size and says so in a sentence (%#)",
    async (size) => {
      for (const mechanism of ["laplace", "gaussian"] as const) {
        const { release, policy } = await sample({ text: grouped, options: { mechanism } });
        const draft: unknown = JSON.parse(json(release), (name, value: unknown) =>
          ["scale", "sigma", "sigmaSquared"].includes(name) ? size : value,
        );
        const { checks } = await full(signed(draft as Release, signer), policy);
        expect(checks.some(({ outcome }) => outcome === "failed")).toBe(true);
        for (const { says } of checks) expect(says.length).toBeLessThan(400);
      }
    },
  );

  it("a private key is not taken for a public one", async () => {
    const pem = signer.key.export({ type: "pkcs8", format: "pem" }).toString();
    const verification = await verifyRelease(text, { publicKeyPem: pem });
    expect(namesOf(verification, "failed")).toEqual(["signer"]);
  });
});
