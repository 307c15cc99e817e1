import {
  LetheError,
  lossFromJson,
  lossToJson,
  type PrivacyLoss,
  parseRational,
  secureEntropy,
} from "@lethe/core";
import { type Exact, type ExactRows, seal } from "@lethe/core/mechanisms";
import type { Charge, Reservation, ReserveRequest } from "@lethe/ledger";
import { type CompiledQuery, readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { answer } from "./answer.ts";
import type { House } from "./house.ts";
import type { AskedOptions, Question } from "./question.ts";
import type { Release } from "./release.ts";
import { optionsOf } from "./testing/open-house.ts";
import { rowPolicy } from "./testing/visits.ts";

const policy = readPolicy(rowPolicy("{ measure: pure, epsilon: 10 }"));
const loss = (epsilon: string): PrivacyLoss => lossFromJson({ measure: "pure", epsilon });

interface Staged {
  readonly reserve?: (request: ReserveRequest) => Promise<Reservation>;
  readonly settle?: (release: string) => string;
  readonly run?: (query: CompiledQuery) => Promise<Exact<ExactRows>>;
  readonly left?: string;
  readonly dialect?: string;
}

/** A house whose ledger and engine write down what is asked of them, in order. */
function staged({ reserve, settle, run, left = "1", dialect = "duckdb" }: Staged = {}) {
  const log: string[] = [];
  const requests: ReserveRequest[] = [];
  const charge = (request: ReserveRequest): Charge =>
    ({
      requestId: request.requestId,
      principal: request.principal,
      loss: request.loss,
      sequence: requests.length,
      hash: "ab",
    }) as unknown as Charge;
  const ledger = {
    publicKey: "key",
    reserve: async (request: ReserveRequest): Promise<Reservation> => {
      log.push(`reserve ${request.requestId}`);
      requests.push(request);
      return reserve ? reserve(request) : { kind: "charged", charge: charge(request), resumed: false };
    },
    settled: async () => null,
    settle: async (paid: Charge, release: string) => {
      log.push(`settle ${paid.requestId}`);
      return settle ? settle(release) : release;
    },
    fail: async (paid: Charge) => void log.push(`fail ${paid.requestId}`),
    remaining: async (principal: string) => {
      log.push(`remaining ${principal}`);
      return loss(left);
    },
    balance: async () => ({
      ...{ scope: ["account"], measure: "pure", listed: true, closed: false },
      periods: [
        {
          ...{ per: "ever", since: 0, spent: loss("1"), reserved: null },
          cap: { main: parseRational("10"), delta: null },
        },
      ],
    }),
    sign: async () => "signature",
  };
  const engine = {
    dialect,
    storage: async (table: string) => {
      log.push(`storage ${table}`);
      return { relation: ["main", table], layout: "snapshot" };
    },
    run: async (query: CompiledQuery) => {
      log.push("run");
      return run ? run(query) : seal({ groups: [{ key: [], units: 0n, sums: [1000n] }] });
    },
  };
  const house = { policy, ledger, engine, entropy: secureEntropy(), clock: () => 0 } as unknown as House;
  return { house, log, requests, charge };
}

const count = "SELECT COUNT(*) AS n FROM visits";
const ask = (house: House, asked: Partial<Question> = {}): Promise<Release> =>
  answer({ text: count, principal: "ana", requestId: "r", options: optionsOf({}), ...asked }, house);

describe("the journey of a question", () => {
  it("looks at the schema, pays, reads, and settles, in that order", async () => {
    const { house, log, requests } = staged();
    const release = await ask(house);
    expect(log).toEqual(["storage visits", "reserve r", "run", "settle r"]);
    expect(release.rows).toHaveLength(1);
    const [request] = requests;
    expect(request).toMatchObject({ principal: "ana", requestId: "r", text: count, loss: loss("1") });
    expect(request!.requestHash).toMatch(/^[0-9a-f]{64}$/);
    expect(request!.event).toEqual(release.certificate.plan.event);
    expect(request!.otherwise).toBeUndefined();
    expect(release.certificate.charge).toEqual(lossToJson(loss("1")));
  });

  it("shows the values of parameters beside the text in the ledger", async () => {
    const { house, requests } = staged();
    const text = `${count} WHERE stay > $1 AND ward = $2`;
    const options: AskedOptions = { ...optionsOf({}), parameters: [2, "north"] };
    await ask(house, { text, options });
    expect(requests[0]!.text).toBe(`${text} [$1 = 2, $2 = "north"]`);
  });

  it("ends at what was answered before, and reads no row", async () => {
    const { house, log } = staged({ reserve: async () => ({ kind: "settled", release: '{"kept":[1]}' }) });
    expect(await ask(house)).toEqual({ kept: [1] });
    expect(log).toEqual(["storage visits", "reserve r"]);
  });

  it("gives the bytes that the ledger keeps, were they another run's", async () => {
    const { house } = staged({ settle: () => '{"kept":[2]}' });
    expect(await ask(house)).toEqual({ kept: [2] });
  });

  it("is recorded as failed where the database fails, in words that hold nothing of it", async () => {
    const { house, log } = staged({ run: () => Promise.reject(new Error("row 7 holds 123456")) });
    await expect(ask(house)).rejects.toMatchObject({
      code: "engine.failed",
      message: "the database could not answer; details are in the owner's log",
      fix: "ask the owner of the data",
    });
    expect(log).toEqual(["storage visits", "reserve r", "run", "fail r"]);
  });

  it("is recorded as failed where its answer cannot be kept", async () => {
    const settle = (): string => {
      throw new Error("the disk is full");
    };
    const { house, log } = staged({ settle });
    await expect(ask(house)).rejects.toThrow("the disk is full");
    expect(log.at(-1)).toBe("fail r");
  });

  it("never begins with an engine of another dialect", async () => {
    const { house, log } = staged({ dialect: "nosuch" });
    await expect(ask(house)).rejects.toMatchObject({
      code: "internal.invariant",
      message: "there is no dialect nosuch",
    });
    expect(log).toEqual([]);
  });
});

describe("a charge that is refused", () => {
  const refusal = new LetheError("ledger.budget", "the budget does not cover it", { fix: "ask for less" });
  const target = count.replace("SELECT", "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(target_error = 5)");
  const unpriced = optionsOf({ epsilon: null });

  it("comes back as it is, and nothing was paid", async () => {
    const { house, log } = staged({ reserve: () => Promise.reject(refusal) });
    await expect(ask(house)).rejects.toBe(refusal);
    expect(log).toEqual(["storage visits", "reserve r"]);
  });

  it("says what is in reach with what is left for the asker, where a target was stated", async () => {
    const { house, log } = staged({ reserve: () => Promise.reject(refusal), left: "1/100" });
    await expect(ask(house, { text: target, options: unpriced })).rejects.toMatchObject({
      code: "ledger.budget",
      // P[|Z| > w] = 2·q^(w+1)/(1+q), q = e^(−1/100), is above 1/20 at w = 299 and not at 300.
      fields: { reach: "300" },
    });
    expect(log.slice(2)).toEqual(["remaining ana"]);
  });

  it("comes back as it is for any other reason, target or not", async () => {
    const other = new LetheError("ledger.principal", "nobody", { fix: "ask as somebody" });
    const { house, log } = staged({ reserve: () => Promise.reject(other) });
    await expect(ask(house, { text: target, options: unpriced })).rejects.toBe(other);
    expect(log).not.toContain("remaining ana");
    const fault = new TypeError("a fault");
    await expect(
      ask(staged({ reserve: () => Promise.reject(fault) }).house, { text: target, options: unpriced }),
    ).rejects.toBe(fault);
  });
});

describe("a question with a pilot", () => {
  const text = count.replace(
    "SELECT",
    "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(target_error = '5%', pilot_epsilon = 1, max_epsilon = 2)",
  );
  const options = optionsOf({ epsilon: null });

  it("pays for its pilot first, under a name of its own, and then for itself or for nothing", async () => {
    const { house, log, requests } = staged();
    const release = await ask(house, { text, options });
    expect(log).toEqual([
      "storage visits",
      "reserve r (pilot)",
      "run",
      "settle r (pilot)",
      "storage visits",
      "reserve r",
      "run",
      "settle r",
    ]);
    expect(requests[0]!.otherwise).toBeUndefined();
    expect(requests[1]!.otherwise).toEqual({ loss: loss("0"), event: { kind: "constant", version: 1 } });
    expect(requests[0]!.requestHash).not.toBe(requests[1]!.requestHash);
    expect(release.certificate.pilot!.certificate.requestId).toBe("r (pilot)");
    expect(release.certificate.target).toBeDefined();
  });

  it("is answered with its pilot where nothing was charged for the rest, and reads no more rows", async () => {
    const house = staged({
      reserve: async (request) => ({
        kind: "charged",
        charge: house.charge({ ...request, loss: request.otherwise?.loss ?? request.loss }),
        resumed: false,
      }),
    });
    const release = await ask(house.house, { text, options });
    expect(house.log.filter((each) => each === "run")).toHaveLength(1);
    expect(house.log.at(-1)).toBe("settle r");
    const { pilot, target, charge } = release.certificate;
    expect(release.rows).toEqual(pilot!.rows);
    expect([target, charge]).toEqual([undefined, pilot!.certificate.charge]);
    expect(release.notes).toHaveLength(pilot!.notes.length + 1);
  });
});
