import { parseRational } from "@lethe/core";
import { type Engine, type Policy, readPolicy } from "@lethe/query";
import { verifyRelease } from "@lethe/verify";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { type Answered, answerOrRepeat } from "../answer.ts";
import type { House } from "../house.ts";
import type { Question } from "../question.ts";
import { openHouse, optionsOf, type TestHouse } from "../testing/open-house.ts";
import { personPolicy, rowPolicy, visitsCsv } from "../testing/visits.ts";
import { repeatAhead } from "./repeat-ahead.ts";

const opened: TestHouse[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

const budget = "{ measure: approximate, epsilon: 1000, delta: 1e-3 }";

async function open(policyText = rowPolicy(budget)): Promise<TestHouse> {
  const house = await openHouse(policyText, visitsCsv);
  opened.push(house);
  return house;
}

let ids = 0;
const asked = (text: string, changed: Partial<Question> = {}): Question => {
  ids += 1;
  return {
    text,
    principal: "owner",
    requestId: `random ${ids}`,
    repeats: "earlier",
    options: optionsOf({ delta: "1e-6" }),
    ...changed,
  };
};

const ask = (house: House, text: string, changed: Partial<Question> = {}): Promise<Answered> =>
  answerOrRepeat(asked(text, changed), house);

/** The same tables, as no import froze them. */
function live(house: House): House {
  const { engine } = house;
  const asItLies: Engine = {
    dialect: engine.dialect,
    async storage(table) {
      const { imported: _, ...storage } = await engine.storage(table);
      return storage;
    },
    run: (query) => engine.run(query),
    rows: (query) => engine.rows(query),
    published: (query) => engine.published(query),
    close: async () => undefined,
  };
  return { ...house, engine: asItLies };
}

async function chargesOf({ report }: TestHouse): Promise<readonly string[]> {
  return (await report()).charges.map(({ requestId }) => requestId);
}

const byWard = "SELECT ward, COUNT(*) AS n FROM visits GROUP BY ward";
const minute = 60_000;

describe("the same question of the same version of the data", () => {
  it("is answered once: the same bytes again, with no charge and no draw, and they verify", async () => {
    const visits = await open();
    const first = await ask(visits.house, byWard);
    const again = await ask(visits.house, byWard);
    expect(first.repeat).toBeNull();
    expect(again.repeat).toEqual({ asOf: first.release.certificate.at, columns: ["ward", "n"] });
    expect(JSON.stringify(again.release)).toBe(JSON.stringify(first.release));
    expect(await chargesOf(visits)).toEqual([expect.stringMatching(/^q-[0-9a-f]{32}-1$/)]);
    const { checks } = await verifyRelease(JSON.stringify(again.release), {
      policyText: visits.policyText,
      publicKeyPem: visits.house.ledger.publicKey,
    });
    expect(checks.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
  });

  it("is the same however it is written, and its columns get the names that are asked for now", async () => {
    const visits = await open(personPolicy(budget));
    const { release } = await ask(
      visits.house,
      "SELECT ward, COUNT(*) AS n, SUM(cost) FROM visits WHERE stay > 2 GROUP BY ward HAVING COUNT(*) > 0 ORDER BY 2 DESC",
    );
    const space = fc.constantFrom(" ", "\n", "\t ", " /* a note */ ", " -- a note\n", " /* 'quoted' */\n");
    const name = fc.constantFrom("n", "ward_2", "count", '"Of All"');
    const table = fc.constantFrom("v", "visits", "w2", '"Visits 2"');
    const word = fc.constantFrom(
      (text: string) => text,
      (text: string) => text.toLowerCase(),
    );
    const writing = fc.record({ space, name, other: name, table, word, qualified: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(writing, async ({ space: _, name: n, other, table: t, word: w, qualified }) => {
        fc.pre(n !== other);
        const of = qualified ? `${t}.` : "";
        const parts = [
          w("SELECT"),
          `${of}ward`,
          ",",
          w("COUNT"),
          "(*)",
          w("AS"),
          n,
          ",",
          w("SUM"),
          "(",
          `${of}cost`,
          ")",
          w("AS"),
          other,
          w("FROM"),
          "visits",
          w("AS"),
          t,
          w("WHERE"),
          `${of}stay`,
          ">",
          "2",
          w("GROUP BY"),
          `${of}ward`,
          w("HAVING"),
          w("COUNT"),
          "(*)",
          ">",
          "0",
          w("ORDER BY"),
          "2",
          w("DESC"),
        ];
        const repeated = await ask(visits.house, parts.join(_));
        const called = (name: string): string => name.replaceAll('"', "");
        expect(repeated.repeat?.columns).toEqual(["ward", called(n), called(other)]);
        expect(repeated.release).toEqual(release);
      }),
      { seed: 1, numRuns: 60 },
    );
    expect(await chargesOf(visits)).toHaveLength(1);
  });

  it("is another question, and paid for, whatever else is asked", async () => {
    const visits = await open(
      rowPolicy("{ measure: approximate, epsilon: 1000, delta: 1e-3, analysts: { ada: 100 } }"),
    );
    const { house } = visits;
    const options = optionsOf({ delta: "1e-6" });
    const base = "SELECT ward, COUNT(*) AS n FROM visits WHERE stay > $1 GROUP BY ward ORDER BY n";
    const withParameter = { options: { ...options, parameters: [2] } };
    const others: readonly (() => Promise<Answered>)[] = [
      () => ask(house, base, withParameter),
      () => ask(house, base, { options: { ...options, parameters: [3] } }),
      () => ask(house, base, { options: { ...withParameter.options, epsilon: parseRational("1/2") } }),
      () => ask(house, base, { options: { ...withParameter.options, confidence: 0.9 } }),
      () => ask(house, base, { options: { ...withParameter.options, mechanism: "gaussian" } }),
      () => ask(house, base, { options: { ...withParameter.options, groupSelection: "private" } }),
      () => ask(house, base, { ...withParameter, principal: "ada" }),
      () => ask(house, base.replace(">", ">="), withParameter),
      () => ask(house, base.replace("COUNT(*)", "COUNT(cost)"), withParameter),
      () => ask(house, `${base} DESC`, withParameter),
      () => ask(house, `${base} LIMIT 1`, withParameter),
      () => ask(house, base.replace("ward, COUNT(*) AS n", "COUNT(*) AS n, ward"), withParameter),
      () => ask({ ...house, declared: { visits: "changed" } }, base, withParameter),
      () => ask({ ...house, policy: tighter(house.policy) }, base, withParameter),
      () => ask({ ...house, policy: elsewhere(house.policy) }, base, withParameter),
    ];
    for (const [at, other] of others.entries()) {
      const { repeat } = await other();
      expect([at, repeat]).toEqual([at, null]);
      expect(await chargesOf(visits)).toHaveLength(at + 1);
    }
    // Each of them is there from now on.
    for (const other of others) expect((await other()).repeat).not.toBeNull();
    expect(await chargesOf(visits)).toHaveLength(others.length);
  });

  it("states its price beside the text or in it, which comes to the same", async () => {
    const visits = await open();
    const { repeat } = await ask(visits.house, byWard);
    const inText = byWard.replace(
      "SELECT",
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1, delta = 1e-6, accept_uninformative = true)",
    );
    const again = await ask(visits.house, inText, { options: optionsOf({ epsilon: null }) });
    expect([repeat, again.repeat?.asOf]).toEqual([null, expect.any(String)]);
  });

  it("is paid for again after another import, even of the same file", async () => {
    const visits = await open();
    await ask(visits.house, byWard);
    const { engine } = visits.house;
    const imported: Engine = {
      ...live(visits.house).engine,
      storage: async (table) => ({ ...(await engine.storage(table)), imported: "of another import" }),
    };
    const { repeat } = await ask({ ...visits.house, engine: imported }, byWard);
    expect(repeat).toBeNull();
    expect(await chargesOf(visits)).toHaveLength(2);
  });
});

/** Another policy, which reads the rows elsewhere. */
function elsewhere(policy: Policy): Policy {
  const table = policy.tables.visits!;
  return { ...policy, tables: { visits: { ...table, file: "elsewhere.csv" } } };
}

/** Another policy, by which the question means something else. */
function tighter(policy: Policy): Policy {
  const table = policy.tables.visits!;
  const columns = { ...table.columns, stay: { ...table.columns.stay!, bounds: [-4, 8] } };
  return { ...policy, tables: { visits: { ...table, columns } } } as Policy;
}

describe("tables that are read as they lie", () => {
  it("repeat nothing unless the owner declares a version, or the policy a period", async () => {
    const visits = await open();
    const house = live(visits.house);
    for (const count of [1, 2]) {
      expect((await ask(house, byWard)).repeat).toBeNull();
      expect(await chargesOf(visits)).toHaveLength(count);
    }
    expect((await chargesOf(visits)).every((id) => id.startsWith("random "))).toBe(true);
  });

  it("repeat as long as the owner declares no change", async () => {
    const visits = await open();
    const house = { ...live(visits.house), declared: { visits: "a" } };
    expect((await ask(house, byWard)).repeat).toBeNull();
    expect((await ask({ ...house, clock: () => 4e12 }, byWard)).repeat).not.toBeNull();
    const changed = { ...house, declared: { visits: "b", toString: "x" } };
    expect((await ask(changed, byWard)).repeat).toBeNull();
    expect((await ask(changed, byWard)).repeat).not.toBeNull();
    // Another table's version says nothing of this one.
    expect((await ask({ ...live(visits.house), declared: { people: "a" } }, byWard)).repeat).toBeNull();
    expect(await chargesOf(visits)).toHaveLength(3);
  });

  it("repeat within the policy's period, and show the newest answer of it", async () => {
    const visits = await open(`${rowPolicy(budget)}answers_valid: 5m\n`);
    const { clock } = visits.house;
    const at = (minutes: number): House => ({
      ...live(visits.house),
      clock: () => clock() + minutes * minute,
    });
    expect(visits.house.policy.answersValid).toBe(5 * minute);
    const times: readonly [number, number | null][] = [
      [0, null],
      [4.99, 0],
      [5, null],
      [9.99, 5],
      // A clock that was put back does not ask for money.
      [1, 5],
      [10, null],
      [14, 10],
      [21, null],
      [25, 21],
    ];
    for (const [minutes, due] of times) {
      const { repeat, release } = await ask(at(minutes), byWard);
      const of = due === null ? null : new Date(clock() + due * minute).toISOString();
      expect([minutes, repeat?.asOf ?? null]).toEqual([minutes, of]);
      if (due !== null) expect(release.certificate.at).toBe(of);
    }
    const id = (await chargesOf(visits))[0]!.slice(0, -1);
    expect(await chargesOf(visits)).toEqual([1, 2, 3, 4].map((place) => `${id}${place}`));
    // The owner's word ends the period, and begins another.
    const changed = { ...at(25), declared: { visits: "b" } };
    expect((await ask(changed, byWard)).repeat).toBeNull();
    expect((await ask(changed, byWard)).repeat).not.toBeNull();
    expect((await ask({ ...changed, clock: at(30).clock }, byWard)).repeat).toBeNull();
  });

  it("leave an imported table's answers without end", async () => {
    const visits = await open(`${rowPolicy(budget)}answers_valid: 1m\n`);
    await ask(visits.house, byWard);
    const later = { ...visits.house, clock: () => visits.house.clock() + 1e10 };
    expect((await ask(later, byWard)).repeat).not.toBeNull();
  });
});

describe("a new answer", () => {
  it("is paid for where it is wanted, and is the one that is shown from then on", async () => {
    const visits = await open();
    const first = await ask(visits.house, byWard, { repeats: "anew" });
    const second = await ask(visits.house, byWard, { repeats: "anew" });
    expect([first.repeat, second.repeat]).toEqual([null, null]);
    const shown = await ask(visits.house, byWard);
    expect(shown.release.certificate.requestId).toBe(second.release.certificate.requestId);
    expect(await chargesOf(visits)).toHaveLength(2);
  });

  it("is drawn once for all who ask at the same time", async () => {
    const visits = await open();
    const all = await Promise.all(Array.from({ length: 8 }, () => ask(visits.house, byWard)));
    expect(new Set(all.map(({ release }) => JSON.stringify(release))).size).toBe(1);
    expect(await chargesOf(visits)).toHaveLength(1);
  });

  it("is none before it is durable: a run that failed, or died, goes on under its charge", async () => {
    const visits = await open();
    const { house } = visits;
    const failing: Engine = { ...live(house).engine, run: () => Promise.reject(new Error("no memory")) };
    const broken = { ...failing, storage: house.engine.storage.bind(house.engine) };
    await expect(ask({ ...house, engine: broken }, byWard)).rejects.toMatchObject({ code: "engine.failed" });
    const { ledger } = house;
    const dying = new Proxy(ledger, {
      get: (of, name) => {
        if (name === "settle") return () => Promise.reject(new Error("died"));
        const member = Reflect.get(of, name, of);
        return typeof member === "function" ? member.bind(of) : member;
      },
    });
    await expect(ask({ ...house, ledger: dying }, byWard)).rejects.toThrow("died");
    const { repeat } = await ask(house, byWard);
    expect(repeat).toBeNull();
    expect(await chargesOf(visits)).toHaveLength(1);
    expect((await ask(house, byWard)).repeat).not.toBeNull();
  });

  it("is not told of again, nor refused as hardly worth paying, once it is there", async () => {
    const visits = await open(rowPolicy(budget).replace("unit: row", "unit: row\n    expected_rows: 10"));
    const options = { ...optionsOf({ epsilon: "1/1000" }), delta: parseRational("1e-6") };
    const heard: string[] = [];
    const house = { ...visits.house, notice: (words: string) => void heard.push(words) };
    const byCity = "SELECT city, COUNT(*) FROM visits GROUP BY city";
    await expect(ask(house, byCity, { options })).rejects.toMatchObject({ code: "query.uninformative" });
    heard.length = 0;
    await ask(house, byCity, { options: { ...options, acceptUninformative: true } });
    expect(heard).toHaveLength(1);
    expect((await ask(house, byCity, { options })).repeat).not.toBeNull();
    expect(heard).toHaveLength(1);
  });
});

describe("a request with an id of its own", () => {
  it("is paid for, and stands for itself", async () => {
    const visits = await open();
    const own = (requestId: string): Question => {
      const { repeats: _, ...question } = asked(byWard, { requestId });
      return question;
    };
    await ask(visits.house, byWard);
    const first = await answerOrRepeat(own("mine"), visits.house);
    expect(first.repeat).toBeNull();
    const again = await answerOrRepeat(own("mine"), visits.house);
    // It shows the same to the last byte, and so says nothing of being shown again.
    expect(again).toEqual(first);
    expect(await chargesOf(visits)).toEqual([expect.stringMatching(/^q-/), "mine"]);
  });

  it("may be one that was given: it names its answer for ever, and no other question's", async () => {
    const visits = await open();
    const { house } = visits;
    const { release } = await ask(house, byWard);
    const { requestId } = release.certificate;
    const own = (text: string, id = requestId): Promise<Answered> => {
      const { repeats: _, ...question } = asked(text, { requestId: id });
      return answerOrRepeat(question, { ...house, declared: { visits: "changed since" } });
    };
    expect((await own(byWard.replace(" AS n", ""))).release).toEqual(release);
    await expect(own("SELECT COUNT(*) FROM visits")).rejects.toMatchObject({ code: "ledger.request" });
    for (const unknown of [requestId.replace(/1$/, "2"), `q-${"0".repeat(32)}-1`, `${requestId} (pilot)`])
      await expect(own(byWard, unknown)).rejects.toMatchObject({
        code: "ledger.request",
        message: expect.stringContaining("names no answer"),
      });
    expect(await chargesOf(visits)).toEqual([requestId]);
  });
});

describe("who asks", () => {
  it("is shown their own answers alone, and none once the ledger lets them ask no more", async () => {
    const analysts = "{ measure: approximate, epsilon: 10, delta: 1e-3, analysts: { ada: 2, bob: 2 } }";
    const visits = await open(rowPolicy(analysts));
    const by = (principal: string): Promise<Answered> => ask(visits.house, byWard, { principal });
    const [ada, bob] = [await by("ada"), await by("bob")];
    expect([ada.repeat, bob.repeat]).toEqual([null, null]);
    expect(bob.release.rows).not.toBe(ada.release.rows);
    expect((await by("ada")).release).toEqual(ada.release);
    await expect(by("eve")).rejects.toMatchObject({ code: "ledger.principal" });
    const { ledger } = visits.house;
    const without = new Proxy(ledger, {
      get: (of, name) => {
        if (name === "remaining")
          return async (asks: string) => of.remaining(asks === "ada" ? "nobody" : asks);
        const member = Reflect.get(of, name, of);
        return typeof member === "function" ? member.bind(of) : member;
      },
    });
    await expect(
      ask({ ...visits.house, ledger: without }, byWard, { principal: "ada" }),
    ).rejects.toMatchObject({ code: "ledger.principal" });
    expect(await chargesOf(visits)).toHaveLength(2);
  });
});

describe("questions in two requests, and of several private questions", () => {
  it("are repeated whole", async () => {
    const visits = await open();
    const options = {
      ...optionsOf({ epsilon: null, delta: "1e-6" }),
      targetErrorRelative: parseRational("1/20"),
      pilotEpsilon: parseRational("1/2"),
      maxEpsilon: parseRational("4"),
    };
    const count = "SELECT COUNT(*) AS n FROM visits";
    const first = await ask(visits.house, count, { options });
    const again = await ask(visits.house, `${count} -- again`, { options });
    expect(again.release).toEqual(first.release);
    expect(again.repeat?.columns).toEqual(["n"]);
    expect(await chargesOf(visits)).toEqual([
      expect.stringMatching(/^q-[0-9a-f]{32}-1 \(pilot\)$/),
      expect.stringMatching(/^q-[0-9a-f]{32}-1$/),
    ]);
    const share = (name: string): string =>
      `SELECT (SELECT COUNT(*) FROM visits WHERE stay > 3) * 1.0 / (SELECT COUNT(*) FROM visits) AS ${name}`;
    const shared = await ask(visits.house, share("part"));
    const sharedAgain = await ask(visits.house, share("rest"));
    expect(sharedAgain.repeat?.columns).toEqual(["rest"]);
    expect(sharedAgain.release).toEqual(shared.release);
    expect(await chargesOf(visits)).toHaveLength(3);
  });
});

describe("what is said ahead", () => {
  it("names the answer that would be shown, and says nothing where it would be paid for", async () => {
    const visits = await open();
    const { policy, ledger, clock, engine } = visits.house;
    const { imported = null } = await engine.storage("visits");
    const versionOf = (table: string) => ({ table, imported, declared: null });
    const ahead = (text: string, declared: string | null = null) =>
      repeatAhead(asked(text), {
        policy,
        ledger,
        clock,
        versionOf: (table) => ({ ...versionOf(table), declared }),
      });
    expect(await ahead(byWard)).toBeNull();
    const { release } = await ask(visits.house, byWard);
    const { requestId, at } = release.certificate;
    expect(await ahead(`EXPLAIN PRIVACY ${byWard} -- again`)).toEqual({ requestId, asOf: at });
    expect(await ahead(byWard, "changed")).toBeNull();
    expect(await ahead(`${byWard} LIMIT 1`)).toBeNull();
    const livePolicy = readPolicy(visits.policyText);
    const none = { policy: livePolicy, ledger, clock };
    expect(
      await repeatAhead(asked(byWard), {
        ...none,
        versionOf: (table) => ({ table, imported: null, declared: null }),
      }),
    ).toBeNull();
    expect(await chargesOf(visits)).toHaveLength(1);
  });
});
