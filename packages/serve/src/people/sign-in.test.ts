import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { Principal } from "../access/index.ts";
import { nobodyAt } from "../audit-log/index.ts";
import { memoryPeople } from "../testing/memory-people.ts";
import { seededBytes } from "../testing/seeded-bytes.ts";
import { changeOwnPassword } from "./change-own-password.ts";
import { addPerson, changePerson, type PeopleHouse, setPassword } from "./change-people.ts";
import { Attempts } from "./passwords/attempts.ts";
import { fewAtOnce } from "./passwords/few-at-once.ts";
import { type Derive, derive, makeVerifier } from "./passwords/scram-verifier.ts";
import { checkIterations, type SignInHouse, signIn } from "./sign-in.ts";

const password = "four words that do not belong";
const iterations = 6000;

/** Counts the iterations of PBKDF2 that are done, and does one in a hundred of them. */
function counting(): { derive: Derive; done: number[] } {
  const done: number[] = [];
  return {
    done,
    derive: (text, salt, count) => {
      done.push(count);
      return derive(text, salt, 41);
    },
  };
}

let people: PeopleHouse;
let work: ReturnType<typeof counting>;
let house: SignInHouse;

beforeEach(async () => {
  work = counting();
  const store = memoryPeople();
  people = {
    store,
    random: seededBytes("sign-in"),
    now: () => 0,
    by: nobodyAt("192.0.2.1"),
    passwords: { least: 15, isKnown: () => false, iterations, derive: work.derive },
  };
  for (const name of ["Ada", "disabled", "no-password", "old"])
    await addPerson(people, { name, roles: ["analyst"] });
  for (const name of ["Ada", "disabled"]) await setPassword(people, name, password);
  await changePerson(people, "disabled", { disabled: true });
  const old = (await store.byName("old"))!;
  const verifier = { ...(await makeVerifier(password, 4096, people.random, work.derive)) };
  await store.put({ ...old, password: verifier }, await store.revision(), []);
  work.done.length = 0;
  house = {
    store,
    attempts: new Attempts(),
    passwords: { derive: work.derive, iterations, secret: new Uint8Array(32).fill(1) },
  };
});

const attempt = async (name: string, typed: string, address = "192.0.2.1"): Promise<string> => {
  work.done.length = 0;
  try {
    return (await signIn(house, { name, password: typed, address }, 0)).name;
  } catch (error) {
    return JSON.stringify(error);
  }
};
const total = (): number => work.done.reduce((sum, count) => sum + count, 0);

describe("signIn", () => {
  it("lets a person in, whatever the case of the name and however the password was typed", async () => {
    expect(await attempt("Ada", password)).toBe("Ada");
    expect(await attempt("ADA", password.replaceAll(" ", "\u00a0"))).toBe("Ada");
    expect(await attempt("old", password)).toBe("old");
  });

  it("refuses everything else with the same text and the same work", async () => {
    const cases = [
      ["Ada", "four words that do not belonG"],
      ["Ada", `${password} `],
      ["Ada", ""],
      ["Ada", "\u0000"],
      ["Ada", "x".repeat(100_000)],
      ["nobody", password],
      ["no-password", password],
      ["no-password", ""],
      ["disabled", password],
      ["old", "wrong words for the old one"],
      ["", password],
      ["\u0000", password],
      ["n".repeat(5000), password],
      ["__proto__", password],
    ] as const;
    const answers = new Set<string>();
    for (const [index, [name, typed]] of cases.entries()) {
      answers.add(await attempt(name, typed, `10.0.0.${index}`));
      expect(total(), name).toBe(iterations);
    }
    expect([...answers]).toEqual([expect.stringContaining('"serve.sign-in"')]);
  });

  it("costs a right password the same work as a wrong one", async () => {
    await attempt("old", password);
    expect(total()).toBe(iterations);
    await attempt("Ada", password);
    expect(total()).toBe(iterations);
  });

  it("takes no password for a name that nobody has, whatever is typed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (name, typed) => {
        fc.pre(!["ada", "old"].includes(name.toLowerCase()));
        house = { ...house, attempts: new Attempts() };
        expect(await attempt(name, typed)).toContain('"serve.sign-in"');
      }),
      { numRuns: 50 },
    );
  });

  it("delays names alike whether somebody has them or not, before any work", async () => {
    const story = async (name: string): Promise<string[]> => {
      house = { ...house, attempts: new Attempts() };
      const answers: string[] = [];
      for (let count = 0; count < 8; count += 1) answers.push(await attempt(name, "wrong and wrong again"));
      return answers;
    };
    const real = await story("Ada");
    expect(real.at(-1)).toContain("serve.too-many");
    expect(total()).toBe(0);
    expect(await story("nobody")).toEqual(real);
    expect(await story("disabled")).toEqual(real);
  });

  it("counts attempts that run at the same time as failed until they are not", async () => {
    const many = Array.from({ length: 50 }, () => attempt("Ada", "wrong and wrong again"));
    const wrong = (await Promise.all(many)).filter((answer) => answer.includes("serve.sign-in"));
    expect(wrong.length).toBeLessThanOrEqual(4);
  });
});

describe("changeOwnPassword", () => {
  const own = (name: string): Principal => ({
    name,
    roles: ["analyst"],
    projects: [],
    proof: { kind: "session", session: "s" },
  });
  const change = (
    name: string,
    current: string | null,
    next = "another four words for it",
  ): Promise<string> =>
    changeOwnPassword(people, house, own(name), { current, next, address: "192.0.2.7" }).then(
      () => "changed",
      (error: unknown) => (error as { code: string }).code,
    );

  it("asks for the password so far, and delays guesses at it", async () => {
    expect(await change("Ada", "wrong and wrong again")).toBe("serve.sign-in");
    expect(await change("Ada", null)).toBe("serve.sign-in");
    expect(await change("Ada", password, "short")).toBe("people.invalid");
    expect(await attempt("Ada", password)).toBe("Ada");
    expect(await change("Ada", password)).toBe("changed");
    expect(await attempt("Ada", password)).toContain("serve.sign-in");
    expect(await attempt("Ada", "another four words for it")).toBe("Ada");
    const guesses = [];
    for (let count = 0; count < 9; count += 1) guesses.push(await change("Ada", "wrong and wrong again"));
    expect(guesses.at(-1)).toBe("serve.too-many");
  });

  it("sets the first password of a person who has none", async () => {
    expect(await change("no-password", null)).toBe("changed");
    expect(await attempt("no-password", "another four words for it")).toBe("no-password");
    expect(await change("no-password", null)).toBe("serve.sign-in");
    expect(await change("nobody", null)).toBe("serve.absent");
  });
});

describe("checkIterations", () => {
  it("refuses to run where one verifier would take longer than the others", async () => {
    const everybody = await people.store.list();
    expect(() => checkIterations(everybody, iterations)).not.toThrow();
    expect(() => checkIterations(everybody, iterations - 1)).toThrow(
      expect.objectContaining({
        code: "config.invalid",
        fields: { path: "passwords.iterations", least: iterations },
      }),
    );
    expect(() => checkIterations([], 1)).not.toThrow();
  });
});

describe("fewAtOnce", () => {
  it("runs so many at a time, lets so many wait, refuses the rest, and goes on after a failure", async () => {
    let running = 0;
    let most = 0;
    const slow: Derive = async (text) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running -= 1;
      if (text === "fails") throw new Error("of the machine");
      return new Uint8Array(1);
    };
    const few = fewAtOnce(slow, 2, 3);
    const salt = new Uint8Array(1);
    const results = await Promise.allSettled(
      ["a", "fails", "c", "fails", "e", "f", "g"].map((text) => few(text, salt, 1)),
    );
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
      "rejected",
    ]);
    expect(results.at(-1)).toMatchObject({ reason: { code: "serve.too-many" } });
    expect(most).toBe(2);
    expect(await few("again", salt, 1)).toEqual(new Uint8Array(1));
  });
});
