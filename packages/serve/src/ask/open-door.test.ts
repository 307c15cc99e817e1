import { LetheError, parseRational, toDouble } from "@lethe/core";
import { verifyRelease } from "@lethe/verify";
import { afterEach, describe, expect, it } from "vitest";
import {
  openService,
  priced,
  type SmallService,
  type SmallSettings,
  turns,
} from "../testing/small-service.ts";
import type { Asker, AskOutcome, AskRequest } from "./asker.ts";

const opened: SmallService[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});
async function open(settings: SmallSettings = {}): Promise<SmallService> {
  const service = await openService(settings);
  opened.push(service);
  return service;
}

const ada: Asker = { principal: "ada" };
const bob: Asker = { principal: "bob" };
const count = "SELECT COUNT(*) FROM people";
const asked = (more: Partial<AskRequest> = {}): AskRequest => ({
  text: count,
  options: priced("1"),
  ...more,
});
const chargesOf = async ({ ledger }: SmallService): Promise<readonly string[]> =>
  (await ledger.report()).charges.map(({ principal, state }) => `${principal} ${state}`);

function releaseOf({ answer }: AskOutcome): Extract<AskOutcome["answer"], { kind: "release" }> {
  if (answer.kind !== "release") throw new Error(answer.kind);
  return answer;
}

describe("the door", () => {
  it("answers under a charge, with a release that holds", async () => {
    const service = await open();
    const { release, repeat } = releaseOf(await service.door.ask(ada, asked()));
    expect(repeat).toBeNull();
    const { checks } = await verifyRelease(JSON.stringify(release), {
      publicKeyPem: service.ledger.publicKey,
    });
    expect(checks.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    expect(release.certificate.principal).toBe("ada");
    expect(await chargesOf(service)).toEqual(["ada settled"]);
    expect(service.workers.unexpected).toEqual([]);
  });

  it("charges eight identical requests at once to each principal once, and gives all the same bytes", async () => {
    for (const imported of [true, false]) {
      const service = await open({ imported });
      const eight = (who: Asker): Promise<AskOutcome>[] =>
        Array.from({ length: 8 }, () => service.door.ask(who, asked()));
      const [ofAda, ofBob] = await Promise.all([Promise.all(eight(ada)), Promise.all(eight(bob))]);
      for (const of of [ofAda, ofBob])
        expect(new Set(of.map((each) => JSON.stringify(releaseOf(each).release))).size).toBe(1);
      expect(releaseOf(ofAda[0]!).release.signature).not.toBe(releaseOf(ofBob[0]!).release.signature);
      expect([...(await chargesOf(service))].sort()).toEqual(["ada settled", "bob settled"]);
      expect(service.door.counts).toEqual({ asks: 16, explains: 0, shared: 14, slots: 0 });
    }
  });

  it.each([
    ["a question", count],
    ["a long one", `${count} -- ${"very ".repeat(2000)}long`],
  ])("shows an answer to %s again without a worker, at no charge", async (_, text) => {
    const service = await open();
    const first = releaseOf(await service.door.ask(ada, asked({ text })));
    await service.pool.close();
    const again = releaseOf(await service.door.ask(ada, asked({ text })));
    expect(again.release).toEqual(first.release);
    expect(again.repeat).toEqual({ asOf: first.release.certificate.at, columns: ["count"] });
    await expect(service.door.ask(bob, asked())).rejects.toMatchObject({ code: "serve.busy" });
    expect(await chargesOf(service)).toEqual(["ada settled"]);
  });

  it("shows the newest answer, or what all make, once another was paid for elsewhere", async () => {
    const service = await open();
    await service.door.ask(ada, asked());
    await service.door.ask(ada, asked());
    const anew = releaseOf(await service.door.ask(ada, asked({ repeats: "anew" })));
    expect(anew.release.certificate.requestId).toMatch(/-2$/);
    const { answer } = await service.door.ask(ada, asked());
    expect(answer.kind).toBe("made");
    expect(await chargesOf(service)).toHaveLength(2);
  });

  it("shows nothing of an answer once its period is over", async () => {
    const service = await open({ imported: false, more: "answers_valid: 1m" });
    await service.door.ask(ada, asked());
    service.timer.go(service.timer.now() + 59_999);
    expect(releaseOf(await service.door.ask(ada, asked())).repeat).not.toBeNull();
    service.timer.go(service.timer.now() + 1);
    const second = releaseOf(await service.door.ask(ada, asked()));
    expect(second.repeat).toBeNull();
    for (const _time of [1, 2, 3])
      expect(releaseOf(await service.door.ask(ada, asked())).release).toEqual(second.release);
    expect(await chargesOf(service)).toHaveLength(2);
  });

  it("keeps the key of a client for its principal: the same bytes, no new charge, and another request of another", async () => {
    const service = await open({ imported: false });
    const keyed = asked({ idempotencyKey: "mine" });
    const first = releaseOf(await service.door.ask(ada, keyed));
    expect(releaseOf(await service.door.ask(ada, keyed)).release).toEqual(first.release);
    const ofBob = releaseOf(await service.door.ask(bob, keyed));
    expect(ofBob.release.certificate.requestId).not.toBe(first.release.certificate.requestId);
    await expect(
      service.door.ask(ada, { ...keyed, text: "SELECT SUM(age) FROM people" }),
    ).rejects.toMatchObject({
      code: "ledger.request",
    });
    expect(await chargesOf(service)).toEqual(["ada settled", "bob settled"]);
    for (const wrong of [
      { idempotencyKey: "" },
      { idempotencyKey: "x".repeat(256) },
      { ...keyed, repeats: "anew" as const },
    ])
      await expect(service.door.ask(ada, asked(wrong))).rejects.toMatchObject({ code: "parameter.invalid" });
  });

  it("goes on for who stops waiting: the charge stands, and the answer is there at no charge", async () => {
    for (const imported of [true, false]) {
      const service = await open({ imported });
      const stopped = new AbortController();
      const running = service.door.ask(ada, asked(), { signal: stopped.signal });
      stopped.abort(new Error("gone"));
      await expect(running).rejects.toThrow("gone");
      await turns();
      expect(await chargesOf(service)).toEqual(["ada settled"]);
      expect(service.runs()).toBe(1);
      releaseOf(await service.door.ask(ada, asked()));
      expect(await chargesOf(service)).toEqual(["ada settled"]);
      expect(service.runs()).toBe(1);
    }
  });

  it("refuses what costs more than a token may spend on one question, and charges nothing", async () => {
    const service = await open();
    const capped: Asker = { ...ada, maxEpsilonPerQuestion: parseRational("1/2") };
    await expect(service.door.ask(capped, asked())).rejects.toMatchObject({
      code: "serve.cap",
      fields: { most: "1/2" },
    });
    expect(await chargesOf(service)).toEqual([]);
    releaseOf(await service.door.ask(capped, asked({ options: priced("0.5") })));
    // What was answered already costs nothing, whatever it cost.
    await service.door.ask(ada, asked());
    const again = await open({ kept: 0 });
    await again.door.ask(ada, asked());
    expect(releaseOf(await again.door.ask(capped, asked())).repeat).not.toBeNull();
  });

  it("counts both requests of a question with a pilot against the cap of a token", async () => {
    const service = await open({ more: "defaults: { epsilon: 1 }" });
    const options = {
      ...priced("1"),
      epsilon: null,
      targetErrorRelative: parseRational("1/1000"),
      pilotEpsilon: parseRational("1"),
      maxEpsilon: parseRational("4"),
    };
    const spent = async (cap: string): Promise<readonly number[]> => {
      const before = (await service.ledger.report()).charges.length;
      const who = { ...ada, maxEpsilonPerQuestion: parseRational(cap) };
      await service.door.ask(who, asked({ options, repeats: "anew" }));
      const { charges } = await service.ledger.report();
      return charges
        .slice(before)
        .map(({ loss }) => (loss.measure === "pure" ? toDouble(loss.epsilon, "up") : 0));
    };
    const [first, second] = await spent("5");
    expect(first).toBe(1);
    expect(second).toBeGreaterThan(3);
    expect(second).toBeLessThanOrEqual(4);
    expect(await spent("4")).toEqual([1, 0]);
  });

  it("refuses before a charge when a worker dies, and has failed and is charged when it dies after", async () => {
    const holding: { release: () => void } = { release: () => undefined };
    const held = new Promise<void>((resolve) => {
      holding.release = resolve;
    });
    const service = await open({ size: 1, running: () => held, imported: false });
    const early = service.door.ask(ada, asked());
    service.workers.kill(0);
    await expect(early).rejects.toMatchObject({ code: "serve.worker" });
    expect(await chargesOf(service)).toEqual([]);
    const late = service.door.ask(ada, asked());
    late.catch(() => undefined);
    while (service.runs() === 0) await turns(1);
    service.workers.kill(1);
    await expect(late).rejects.toMatchObject({
      code: "engine.failed",
      message: "the database could not answer; details are in the owner's log",
    });
    expect(await chargesOf(service)).toEqual(["ada failed"]);
    holding.release();
    // Asked again it goes on under its charge, though nobody gave it a name.
    releaseOf(await service.door.ask(ada, asked()));
    expect(await chargesOf(service)).toEqual(["ada settled"]);
  });

  it("explains at no price as whoever asks, and the second time without a worker", async () => {
    const service = await open();
    const before = await service.door.explain(ada, asked());
    expect(before).toMatchObject({ price: { measure: "pure", epsilon: "1" }, earlier: null, made: null });
    await service.door.ask(ada, asked());
    const after = await service.door.explain(ada, asked());
    expect(after.earlier).not.toBeNull();
    expect((await service.door.explain(bob, asked())).earlier).toBeNull();
    const inText = await service.door.ask(ada, asked({ text: `EXPLAIN PRIVACY ${count}` }));
    expect(inText.answer).toMatchObject({ kind: "explanation", explanation: { earlier: after.earlier } });
    await service.pool.close();
    expect(await service.door.explain(ada, asked())).toEqual(after);
    await expect(
      service.door.explain({ principal: "ada" }, asked({ text: `${count} ` })),
    ).rejects.toMatchObject({
      code: "serve.busy",
    });
    expect(await chargesOf(service)).toHaveLength(1);
  });

  it("says with a plan how each table is read, anew where another import came into force", async () => {
    const moments = ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"] as const;
    let at: 0 | 1 = 0;
    let looked = 0;
    const reading = () => {
      looked += 1;
      return { from: "snapshot", snapshot: "lake.lethe.people", asOf: moments[at] } as const;
    };
    const service = await open({ reading, imports: () => String(at) });
    const explained = () => service.door.explain(ada, asked());
    const read = {
      ...{ table: "people", from: "snapshot", snapshot: "lake.lethe.people", asOf: moments[0], order: null },
      words: [
        `people is read from its snapshot in Trino, lake.lethe.people, as of ${moments[0]}: lethe import makes a newer one`,
      ],
    };
    expect((await explained()).reads).toEqual([read]);
    expect((await explained()).reads).toEqual([read]);
    expect(looked).toBe(1);
    const inText = await service.door.ask(ada, asked({ text: `EXPLAIN PRIVACY ${count}` }));
    expect(inText.answer).toMatchObject({ kind: "explanation", explanation: { reads: [read] } });
    at = 1;
    expect((await explained()).reads).toMatchObject([{ asOf: moments[1] }]);
    expect(service.runs()).toBe(0);
    expect(await chargesOf(service)).toEqual([]);
  });

  it("shows no answer of an import that is out of force, though workers are the same", async () => {
    let at = 1;
    const service = await open({ imports: () => String(at), imported: () => `import ${at}` });
    const first = releaseOf(await service.door.ask(ada, asked()));
    expect(releaseOf(await service.door.ask(ada, asked())).repeat).not.toBeNull();
    at = 2;
    const second = releaseOf(await service.door.ask(ada, asked()));
    expect(second.repeat).toBeNull();
    expect(second.release.certificate.requestId).not.toBe(first.release.certificate.requestId);
    expect(await chargesOf(service)).toEqual(["ada settled", "ada settled"]);
  });

  it("refuses to explain where the engine cannot be reached, as it refuses to answer, and charges nothing", async () => {
    const unreachable = new LetheError("engine.source", "the database cannot be reached", {
      fix: "start it",
    });
    const service = await open({
      imported: () => {
        throw unreachable;
      },
    });
    const refusal = { code: "engine.source", message: "the database cannot be reached" };
    await expect(service.door.explain(ada, asked())).rejects.toMatchObject(refusal);
    await expect(service.door.ask(ada, asked())).rejects.toMatchObject(refusal);
    expect(await chargesOf(service)).toEqual([]);
  });

  it("describes questions and tables, and answers catalogs, at no price", async () => {
    const service = await open();
    expect((await service.door.describe(ada, count)).columns).toMatchObject([{ name: "count" }]);
    expect((await service.door.tables(ada)).map(({ name }) => name)).toEqual(["people"]);
    const { answer } = await service.door.ask(ada, asked({ text: "SHOW TABLES" }));
    expect(answer.kind).toBe("catalog");
    await expect(service.door.ask(ada, asked({ text: "SELECT nonsense FROM people" }))).rejects.toMatchObject(
      {
        code: expect.stringMatching(/^query\./),
      },
    );
    await expect(service.door.ask({ principal: "eve" }, asked())).rejects.toMatchObject({
      code: "ledger.principal",
    });
    expect(await chargesOf(service)).toEqual([]);
  });

  it("gives an answer at its slot and not before, with a certificate that says so", async () => {
    const service = await open({ more: "release_schedule: 2s" });
    let given: AskOutcome | null = null;
    const running = service.door.ask(ada, asked()).then((outcome) => {
      given = outcome;
      return outcome;
    });
    const begun = service.timer.now();
    await turns();
    expect(await chargesOf(service)).toEqual(["ada settled"]);
    service.timer.go(begun + 1999);
    await turns();
    expect(given).toBeNull();
    service.timer.go(begun + 2000);
    const { release } = releaseOf(await running);
    expect(release.certificate.schedule).toEqual({ each: 2000, statements: 1 });
    const { checks } = await verifyRelease(JSON.stringify(release));
    expect(checks).toContainEqual({
      name: "schedule",
      outcome: "passed",
      says: "the answer was given 2000 ms, which follow from its plan",
    });
    // What is there already has no slot.
    expect(releaseOf(await service.door.ask(ada, asked())).repeat).not.toBeNull();
    expect(service.door.counts.slots).toBe(1);
  });

  it("shows an answer before its slot to no other spelling of the question, and to no explanation", async () => {
    const service = await open({ more: "release_schedule: 2s" });
    const begun = service.timer.now();
    const first = service.door.ask(ada, asked());
    await turns();
    expect(await chargesOf(service)).toEqual(["ada settled"]);
    let given: AskOutcome | null = null;
    const other = service.door.ask(ada, asked({ text: `${count} -- again` })).then((outcome) => {
      given = outcome;
      return outcome;
    });
    const explained = (text: string) => service.door.explain(ada, { text, options: priced("1") });
    expect((await explained(`${count} -- before`)).earlier).toBeNull();
    service.timer.go(begun + 1999);
    await turns();
    expect(given).toBeNull();
    service.timer.go(begun + 2000);
    const { release } = releaseOf(await first);
    expect(releaseOf(await other)).toMatchObject({ release, repeat: { asOf: release.certificate.at } });
    expect((await explained(`${count} -- after`)).earlier?.requestId).toBe(release.certificate.requestId);
    expect(await chargesOf(service)).toEqual(["ada settled"]);
    expect(service.runs()).toBe(1);
  });

  it.each([0, 700])("states the time of the slot, and not that of an execution of %i ms", async (took) => {
    const service = await open({
      more: "release_schedule: 2s",
      running: async () => service.timer.go(service.timer.now() + took),
    });
    const begun = service.timer.now();
    const running = service.door.ask(ada, asked());
    await turns();
    service.timer.go(begun + 2000);
    const { release } = releaseOf(await running);
    expect(Date.parse(release.certificate.at)).toBe(begun + 2000);
  });

  it("fails at its slot what is not ready by then, and charges it", async () => {
    const holding: (() => void)[] = [];
    const service = await open({
      more: "release_schedule: 2s",
      running: () => new Promise((resolve) => void holding.push(resolve)),
    });
    const running = service.door.ask(ada, asked()).catch((error) => error.code);
    while (service.runs() === 0) await turns(1);
    service.timer.go(service.timer.now() + 2000);
    expect(await running).toBe("engine.failed");
    holding[0]?.();
    await turns();
    expect(await chargesOf(service)).toEqual(["ada failed"]);
    const again = service.door.ask(ada, asked());
    while (service.runs() === 1) await turns(1);
    holding[1]?.();
    await turns();
    service.timer.go(service.timer.now() + 2000);
    releaseOf(await again);
    expect(await chargesOf(service)).toEqual(["ada settled"]);
  });

  it("lets a failure wait for its slot, as an answer does", async () => {
    const service = await open({
      more: "release_schedule: 2s",
      running: () => Promise.reject(new Error("no memory")),
    });
    let ended = false;
    const running = service.door.ask(ada, asked()).catch((error) => {
      ended = true;
      return error.code;
    });
    await turns();
    expect(await chargesOf(service)).toEqual(["ada failed"]);
    expect(ended).toBe(false);
    service.timer.go(service.timer.now() + 2000);
    expect(await running).toBe("engine.failed");
  });
});
