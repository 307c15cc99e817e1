import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { addPerson, setPassword } from "@lethe/serve";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasOpenssl, type LoopbackCertificate, makeLoopbackCertificate } from "../loopback-certificate.ts";
import { openWireHouse, type WireHouse } from "../wire-house.ts";
import { columns, people, policy, questionsOf, sectors } from "./clinic.ts";
import { matrixPage, measuredTable } from "./matrix-page.ts";
import { type Feature, features, type Outcomes, type Place, type Told } from "./wire-client.ts";
import { wireClients } from "./wire-clients.ts";

const page = fileURLToPath(new URL("../../../../../../docs/reference/wire-clients.md", import.meta.url));
const password = "a-long-enough-password";
const nameOf = (client: number): string => `person${client}`;

let house: WireHouse;
let made: LoopbackCertificate;
/** The function that tells that a slow question was asked, for each of them: its first answer is held until its wait is called off. */
const held = new Map<string, () => void>();
const asked = new Map<string, Promise<void>>();
const measured = new Map<string, string | Map<Feature, string>>();

beforeAll(async () => {
  if (!hasOpenssl) return;
  made = makeLoopbackCertificate();
  const names = wireClients.map((_, client) => nameOf(client));
  const data = { policy: policy(names), people: people() };
  house = await openWireHouse({ tls: made, data }, ({ service }) => ({
    service: {
      ...service,
      async ask(who, question, waiting) {
        const answer = await service.ask(who, question, waiting);
        const reached = held.get(question.sql);
        if (reached) {
          held.delete(question.sql);
          reached();
          await new Promise((_, reject) => {
            waiting?.signal?.addEventListener("abort", () => reject(waiting.signal?.reason), { once: true });
          });
        }
        return answer;
      },
    },
  }));
  for (const [client, name] of names.entries()) {
    await addPerson(house.people, { name, roles: ["analyst"] });
    await setPassword(house.people, name, password);
    const { slow } = questionsOf(client).questions;
    asked.set(slow, new Promise((resolve) => void held.set(slow, resolve)));
  }
});
afterAll(async () => {
  console.log(measuredTable(measured));
  await house?.close();
  made?.remove();
});

function placeOf(client: number): Place {
  const { age, questions } = questionsOf(client);
  const user = nameOf(client);
  return {
    ...{ host: "localhost", port: house.port, user, password, database: "clinic", certificate: made.file },
    ...{ age, questions },
    isAsked: async () => asked.get(questions.slow),
  };
}

/** Reads csv with a header: a key, and three numbers. */
function rowsOfCsv(csv: string): Pick<Told, "columns" | "rows"> {
  const [header = "", ...lines] = csv.trim().split("\n");
  const rows = lines.map((line) => {
    const [key, ...numbers] = line.split(",");
    return [key, ...numbers.map(Number)];
  });
  return { columns: header.split(","), rows };
}

describe.each(wireClients.map((client, at) => ({ ...client, at })))("$name", (client) => {
  const reason = hasOpenssl ? client.missing() : "openssl is not installed";
  if (reason !== null) {
    measured.set(client.name, reason);
    it.skip(`is not run here: ${reason}`, () => undefined);
    return;
  }
  const had = features.filter((feature) => client.without[feature] === undefined);
  const cells = new Map(Object.entries(client.without).map(([feature]) => [feature as Feature, "n/a"]));
  measured.set(client.name, cells);
  let outcomes: Outcomes;
  beforeAll(async () => {
    outcomes = await client.run(placeOf(client.at), had);
  });
  const told = (feature: Feature): Told => {
    const outcome = outcomes.get(feature);
    if (typeof outcome !== "object") throw new Error(outcome ?? "nothing came of it");
    return outcome.csv === undefined ? outcome : { ...outcome, ...rowsOfCsv(outcome.csv) };
  };
  const isUser = (feature: Feature) => (): void => expect(told(feature)).toEqual({ user: nameOf(client.at) });
  /** The rows are those of the one answer, in whatever form they came. */
  const isAnswer = (feature: Feature): Told => {
    const { rows, binary = rows, ...rest } = told(feature);
    expect(rows).toEqual(told("simple").rows);
    expect(binary).toEqual(rows);
    return rest;
  };
  const notices = expect.arrayContaining([expect.stringMatching(/^charged nothing: it is the answer of /)]);
  const checks: Readonly<Record<Feature, () => void>> = {
    tls: isUser("tls"),
    binding: isUser("binding"),
    reflect: () => expect(told("reflect")).toMatchObject({ tables: ["people"], columns }),
    price() {
      const left = `19/2 of 10 left of analyst ${nameOf(client.at)}`;
      const price = new RegExp(`^charged epsilon 1/2 as request [\\w-]+; ${left}$`);
      expect(told("price").notices).toContainEqual(expect.stringMatching(price));
    },
    simple() {
      const { columns: named, rows } = told("simple");
      expect(named).toEqual(["sector", "mean", "mean_lower", "mean_upper"]);
      expect(rows?.map(([sector]) => sector)).toEqual(sectors);
      for (const [, mean, lower, upper] of rows as number[][]) {
        expect(mean).toBeGreaterThan(lower ?? Number.NaN);
        expect(mean).toBeLessThan(upper ?? Number.NaN);
      }
    },
    prepared: () => expect(isAnswer("prepared").same).toBe(true),
    binary() {
      const { formats = [1] } = isAnswer("binary");
      expect(formats).toContain(1);
    },
    cursor() {
      const { parts = [2, 2, 1] } = isAnswer("cursor");
      expect(parts).toEqual([2, 2, 1]);
    },
    copy: () => void isAnswer("copy"),
    repeat() {
      const { notices: shown = ["charged nothing: it is the answer of …"] } = isAnswer("repeat");
      expect(shown).toEqual(notices);
    },
    refusal: () =>
      expect(told("refusal")).toMatchObject({
        state: "42703",
        position: 12,
        hint: expect.stringContaining("write one of: age, sector, wage, hired"),
      }),
    cancel() {
      const { state, again } = told("cancel");
      expect(state).toBe("57014");
      expect(again).toBeGreaterThan(0);
    },
  };
  it.each(had)("%s", (feature) => {
    cells.set(feature, "failed");
    checks[feature]();
    cells.set(feature, "ok");
  });

  it("was charged once for each question, in whatever form and however often it asked", async () => {
    const { charges } = await house.ledger.report();
    const paid = charges.filter(({ principal }) => principal === nameOf(client.at));
    expect(paid).toHaveLength(client.without.cancel === undefined ? 2 : 1);
  });
});

it("the page of clients says what the tests compare; UPDATE_GOLDEN=1 writes it anew", () => {
  const text = matrixPage(wireClients);
  if (process.env.UPDATE_GOLDEN === "1") writeFileSync(page, text);
  expect(existsSync(page) ? readFileSync(page, "utf8") : null).toBe(text);
});
