import { parseRational, type Rational, toText } from "@lethe/core";
import { add, compare, zero } from "@lethe/core/numeric";
import { describe, expect, test } from "vitest";
import { wireAudit } from "./index.ts";
import type { PostgresPort, Wire, WireAnalyst, WireOutcome, WireReply, WireRequest } from "./wire.ts";

/** The faults that a service may have. */
interface Faults {
  readonly overspends?: true;
  readonly losesCharges?: true;
  readonly beyondOwnCap?: true;
  readonly paysTwice?: true;
  readonly drawsAgain?: true;
  readonly sharesIds?: true;
  readonly givesForNothing?: true;
  readonly givesOneAnswer?: true;
  readonly refusesTakenIds?: true;
  readonly forgetsIds?: true;
  readonly opensReleases?: true;
  readonly tellsPeople?: true;
  readonly tellsPeopleByStatus?: true;
  readonly listsOthers?: true;
  readonly tellsNames?: true;
  readonly slowForNames?: true;
  readonly signsIn?: true;
  readonly takesAnyOrigin?: true;
  readonly takesDeepQuestions?: true;
  readonly slowRefusals?: true;
  readonly waitsForHalves?: true;
  readonly dies?: true;
  readonly paysAtPostgres?: true;
  readonly newSalts?: true;
  readonly oneSalt?: true;
  readonly fewerIterations?: true;
  readonly slowChallenges?: true;
  readonly holdsFrames?: true;
  readonly diesOfFrames?: true;
}

const cap = parseRational("1");

/** A service in memory that stands but for these faults. Two analysts have ε 1 together, and each ε 3/4. */
function serviceOf(faults: Faults, epsilon: string | null = "2"): Wire {
  let spent: Rational = zero;
  let drawn = 0;
  let again = 0;
  let tries = 0;
  let isDead = false;
  const names = ["ada", "bob"] as const;
  const spentBy = new Map<string, Rational>(names.map((name) => [name, zero]));
  const answers = new Map<string, Extract<WireOutcome, { kind: "answered" }>>();
  const ownCap = parseRational("3/4");
  const reply = (status: number, body = "", took = 10): WireReply => ({
    status,
    type: "application/json",
    body,
    took,
  });
  const absent = reply(404, "it does not exist");

  const answer = (name: string, price: Rational, key: string): WireOutcome => {
    const before = answers.get(key);
    if (before !== undefined && !faults.paysTwice) return before;
    const [all, own] = [add(spent, price), add(spentBy.get(name)!, price)];
    if (!faults.overspends && compare(all, cap) > 0) return { kind: "refused", code: "ledger.budget" };
    if (!faults.overspends && !faults.beyondOwnCap && compare(own, ownCap) > 0)
      return { kind: "refused", code: "ledger.budget" };
    spent = all;
    if (!faults.losesCharges) spentBy.set(name, own);
    drawn += 1;
    const given = {
      kind: "answered",
      requestId: `${key} ${faults.paysTwice ? drawn : ""}`,
      principal: name,
      charged: price,
      values: String(drawn),
    } as const;
    answers.set(key, given);
    return given;
  };
  const ask: (name: string) => WireAnalyst["ask"] = (name) => async (_sql, asked) => {
    if ("again" in asked) {
      const question = `${name} at ${toText(asked.epsilon)}`;
      const isRepeat = answers.has(question);
      const given = answer(name, asked.epsilon, question);
      again += 1;
      if (given.kind === "refused" || !isRepeat || faults.paysTwice) return given;
      return {
        ...given,
        charged: zero,
        values: faults.drawsAgain ? `${given.values} and ${again}` : given.values,
      };
    }
    const { requestId } = asked;
    const others = `${name === "ada" ? "bob" : "ada"} ${requestId}`;
    if (faults.refusesTakenIds && answers.has(others)) return { kind: "refused", code: "ledger.request" };
    if (faults.sharesIds && answers.has(others)) return answers.get(others)!;
    const taken = answers.get(others);
    if (faults.givesForNothing && taken !== undefined) return { ...taken, principal: name, charged: zero };
    const key = faults.forgetsIds ? `${name} ${requestId} ${drawn}` : `${name} ${requestId}`;
    const given = answer(name, asked.epsilon, key);
    return faults.givesOneAnswer && taken !== undefined && given.kind === "answered"
      ? { ...given, values: taken.values }
      : given;
  };
  const query = ({ body = "" }: WireRequest): WireReply => {
    const took = faults.slowRefusals ? 20_000 : 10;
    if (body.length > 65_536) return reply(0, "", took);
    if (faults.takesDeepQuestions && body.includes("(((")) return reply(500, "RangeError", took);
    isDead ||= faults.dies === true;
    return reply(422, "refused", took);
  };
  const isElsewhere = ({ headers = {} }: WireRequest): boolean =>
    !faults.takesAnyOrigin &&
    (headers.host !== undefined || (headers.origin ?? "https://lethe.example") !== "https://lethe.example");
  const session = (request: WireRequest): WireReply => {
    const { name } = JSON.parse(request.body ?? "{}") as { readonly name: string };
    if (!faults.takesAnyOrigin && request.headers?.origin !== "https://lethe.example") return reply(403);
    tries += 1;
    if (tries === 2) return reply(429, '{"fields":{"retryAfter":2}}');
    if (faults.signsIn) return reply(204);
    const isKnown = names.some((each) => each === name);
    return reply(
      401,
      faults.tellsNames && !isKnown ? "no such name" : "wrong",
      faults.slowForNames && isKnown ? 300 + tries : 10 + tries,
    );
  };
  const send = async (request: WireRequest, by: string | null = null): Promise<WireReply> => {
    const { path } = request;
    if (path === "/healthz") return isDead ? reply(0) : reply(200, "ok");
    if (path === "/mcp") return isElsewhere(request) ? reply(403) : reply(200);
    if (path === "/v1/session") return session(request);
    if (path === "/v1/me" && by === null) return reply(401);
    if (path === "/v1/query") return query(request);
    if (path === "/v1/releases?limit=200")
      return reply(
        200,
        faults.listsOthers ? JSON.stringify([...answers.keys()].map((key) => `${key} `)) : "[]",
      );
    if (path.startsWith("/v1/releases/"))
      return faults.opensReleases && path.includes("ada") ? reply(200, "the release") : absent;
    const isAda = path.includes("/people/ada");
    if (faults.tellsPeopleByStatus && isAda) return { ...absent, status: 403 };
    return faults.tellsPeople && isAda ? { ...absent, body: "it is not yours" } : absent;
  };
  let challenged = 0;
  const postgres: PostgresPort = {
    challenge: async (name) => {
      challenged += 1;
      const isKnown = names.some((each) => each === name);
      if (isDead) return null;
      return {
        salt:
          faults.newSalts && !isKnown
            ? `salt ${challenged}`.padEnd(50)
            : `salt of ${faults.oneSalt ? "all" : name}`.padEnd(50),
        iterations: faults.fewerIterations && isKnown ? 4096 : 600_000,
        took: faults.slowChallenges && isKnown ? 300 + challenged : 10 + challenged,
      };
    },
    send: async (bytes) => {
      isDead ||= faults.diesOfFrames === true;
      return faults.holdsFrames && bytes.length < 8 ? null : 12;
    },
  };
  const otherwise: (name: string) => NonNullable<WireAnalyst["askPostgres"]> =
    (name) =>
    (sql, { epsilon }) =>
      ask(name)(
        sql,
        faults.paysAtPostgres ? { epsilon, requestId: `postgres ${drawn}` } : { epsilon, again: true },
      );
  let named = 0;
  const analyst = (name: string): WireAnalyst => ({
    name,
    send: (request) => send(request, name),
    ask: ask(name),
    askPostgres: otherwise(name),
    budget: async () => ({ account: cap, own: ownCap, spent: spentBy.get(name)! }),
    answered: async () =>
      [...answers].find(([question]) => question.startsWith(`${name} at`))?.[1].requestId ?? null,
  });
  return {
    origin: "https://lethe.example",
    analysts: [analyst("ada"), analyst("bob")],
    question: "SELECT COUNT(*) FROM people",
    epsilon: epsilon === null ? null : parseRational(epsilon),
    send: (request) => send(request),
    postgres,
    half: async () => (faults.waitsForHalves ? null : 12_000),
    wait: async () => undefined,
    newName: () => {
      named += 1;
      return `nobody-${named}`;
    },
  };
}

async function findingsOf(wire: Wire): Promise<Readonly<Record<string, string>>> {
  const rows = await wireAudit.run(wire);
  return Object.fromEntries(
    rows.flatMap(({ subject, finding }) => (finding === null ? [] : [[subject, finding]])),
  );
}

test("a service that keeps its word has no finding, and its ceiling is reached", async () => {
  const rows = await wireAudit.run(serviceOf({}));
  expect(rows.map(({ subject, finding, of }) => [subject, finding, of])).toEqual(
    [
      "loop",
      "squat",
      "collusion",
      "others' objects",
      "names at sign-in",
      "names at PostgreSQL's sign-in",
      "other sites",
      "strange requests",
      "strange frames",
    ].map((subject) => [subject, null, "lethe"]),
  );
  expect(rows[2]).toMatchObject({ measured: expect.stringMatching(/charged of 1; a cap was reached$/) });
});

describe("a service with a fault", () => {
  test.each<[keyof Faults, Readonly<Record<string, string>>]>([
    ["overspends", { collusion: "is spent of 1" }],
    ["losesCharges", { collusion: "is on record" }],
    ["paysTwice", { loop: "9 of 9 were paid for" }],
    ["drawsAgain", { loop: "the noise was drawn anew" }],
    ["sharesIds", { squat: "the answer is bob's", collusion: "is on record" }],
    ["givesForNothing", { squat: "another's answer was given for nothing" }],
    ["givesOneAnswer", { squat: "both were given one answer" }],
    ["refusesTakenIds", { squat: "an id that another took is refused" }],
    ["forgetsIds", { squat: "was not found again" }],
    ["opensReleases", { "others' objects": "a release of ada was given to bob" }],
    ["tellsPeople", { "others' objects": "the person that exists is told from none" }],
    ["tellsPeopleByStatus", { "others' objects": "the person that exists is told from none" }],
    ["listsOthers", { "others' objects": "bob's list has the request" }],
    ["tellsNames", { "names at sign-in": "2 different ones" }],
    ["slowForNames", { "names at sign-in": "every time of one kind" }],
    ["signsIn", { "names at sign-in": "signed in" }],
    ["takesAnyOrigin", { "other sites": "an agent's call with another Host got 200" }],
    ["takesDeepQuestions", { "strange requests": "30,000 parentheses got 500" }],
    ["slowRefusals", { "strange requests": "300 kB took 20000 ms" }],
    ["waitsForHalves", { "strange requests": "half a body was waited for" }],
    ["paysAtPostgres", { loop: "5 of 9 were paid for" }],
    ["newSalts", { "names at PostgreSQL's sign-in": "one name has several salts" }],
    ["oneSalt", { "names at PostgreSQL's sign-in": "several names have one salt" }],
    ["fewerIterations", { "names at PostgreSQL's sign-in": "iterations of several numbers" }],
    ["slowChallenges", { "names at PostgreSQL's sign-in": "every time of one kind" }],
    ["holdsFrames", { "strange frames": "half a length held a connection" }],
  ])("is found by the attack on it: %s", async (fault, due) => {
    // One answer to both is told from chance by nine ids, which must be within both analysts' caps.
    const epsilon = fault === "givesOneAnswer" ? "1" : "2";
    const findings = await findingsOf(serviceOf({ [fault]: true }, epsilon));
    for (const [subject, says] of Object.entries(due)) expect(findings[subject]).toContain(says);
    // Paying twice also loses the one answer that a request has.
    const beside = fault === "paysTwice" ? ["squat"] : [];
    expect(Object.keys(findings).filter((subject) => !beside.includes(subject))).toEqual(Object.keys(due));
  });

  test("is found where it exceeds an analyst's own cap, and not the account's", async () => {
    const wire = serviceOf({ beyondOwnCap: true });
    const [ada] = wire.analysts;
    const one: Wire = { ...wire, analysts: [ada] };
    expect(await findingsOf(one)).toEqual({ collusion: "ada spent beyond a cap of 3/4" });
  });
});

test.each<keyof Faults>(["dies", "diesOfFrames"])(
  "a service that ends under an attack is found, whichever protocol its clients speak: %s",
  async (fault) => {
    const findings = await findingsOf(serviceOf({ [fault]: true }));
    for (const subject of ["strange requests", "strange frames"])
      expect(findings[subject]).toContain("no longer answers");
  },
);

test("a service that does not speak PostgreSQL's protocol is attacked over HTTP alone", async () => {
  const rows = await wireAudit.run({ ...serviceOf({}), postgres: null });
  expect(rows.filter(({ subject }) => /PostgreSQL|frames/.test(subject))).toEqual([]);
  expect(rows).toHaveLength(7);
});

test("without a price or a colleague, what needs them is told and not tried", async () => {
  const { analysts, ...wire } = serviceOf({ overspends: true, opensReleases: true }, null);
  const rows = await wireAudit.run({ ...wire, analysts: [analysts[0]] });
  const told = rows.filter(({ of }) => of === "told").map(({ subject, how }) => [subject, how.split(" ")[0]]);
  expect(told).toEqual([
    ["loop", "--epsilon"],
    ["squat", "--epsilon"],
    ["collusion", "--epsilon"],
    ["others' objects", "--other-token-file"],
  ]);
});

test("analysts whose budget is spent show nothing of repeats and ids, and that is told", async () => {
  // A 24th of this exceeds what both may spend together.
  const rows = await wireAudit.run(serviceOf({ paysTwice: true, sharesIds: true }, "25"));
  const told = rows.filter(({ of }) => of === "told").map(({ subject, how }) => [subject, how]);
  expect(told.filter(([subject]) => subject === "loop" || subject === "squat")).toEqual(
    [
      ["loop", 9],
      ["squat", 3],
    ].map(([subject, asked]) => [
      subject,
      `the service answered none of its questions (0 of ${asked} answered, ${asked} ledger.budget): give it an analyst who has budget left`,
    ]),
  );
});

describe("two equal answers under one id", () => {
  /** A service that draws its answers independently, and by these. */
  const drawing = (draw: (at: number) => string, epsilon = "1"): Wire => {
    const wire = serviceOf({}, epsilon);
    const given = new Map<string, string>();
    let at = 0;
    const analysts = wire.analysts.map(
      (each): WireAnalyst => ({
        ...each,
        ask: async (sql, asked) => {
          const outcome = await each.ask(sql, asked);
          if (outcome.kind === "refused") return outcome;
          if (!given.has(outcome.requestId)) {
            given.set(outcome.requestId, draw(at));
            at += 1;
          }
          return { ...outcome, values: given.get(outcome.requestId)! };
        },
      }),
    );
    return { ...wire, analysts: [analysts[0]!, ...analysts.slice(1)] };
  };
  const squatOf = async (wire: Wire) =>
    (await wireAudit.run(wire)).find(({ subject }) => subject === "squat");

  test("that are chance are no finding: a further id shows it", async () => {
    // The first is the loop's answer; then come both of the first id, and both of the second.
    const row = await squatOf(drawing((at) => ["0", "7", "7", "7", "8"][at] ?? String(at)));
    expect(row).toMatchObject({ finding: null, of: "lethe", measured: "6 of 6 answered" });
  });

  test("of a question whose answers hardly vary show nothing, and that is told", async () => {
    const row = await squatOf(drawing(() => "7"));
    expect(row).toMatchObject({ finding: null, of: "told" });
    expect(row?.how).toMatch(/^both were given equal answers under each of 9 ids, which may be chance/);
  });

  test("show nothing where the budget ends before chance is excluded, and that is told", async () => {
    const row = await squatOf(drawing((at) => String(Math.floor((at + 1) / 2)), "6"));
    expect(row).toMatchObject({ finding: null, of: "told" });
    expect(row?.how).toContain("equal answers under one id, which may be chance");
  });

  test("are a finding where chance would need more luck than one in a million", async () => {
    const row = await squatOf(drawing((at) => String(Math.floor((at + 1) / 2))));
    expect(row).toMatchObject({ finding: "both were given one answer", of: "lethe" });
  });
});

test("a wait that is told is waited for, and one that is too long is not", async () => {
  const waits: number[] = [];
  const wire = serviceOf({});
  await wireAudit.run({ ...wire, wait: async (milliseconds) => void waits.push(milliseconds) });
  expect(waits).toEqual([2000]);
  const late: Wire = {
    ...wire,
    send: async (request) =>
      request.path === "/v1/session" && request.headers?.origin === wire.origin
        ? { status: 429, type: "", body: '{"fields":{"retryAfter":61}}', took: 1 }
        : wire.send(request),
  };
  const row = (await wireAudit.run(late)).find(({ subject }) => subject === "names at sign-in");
  expect(row).toMatchObject({ of: "told", finding: null });
});
