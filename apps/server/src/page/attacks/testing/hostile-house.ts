import { openPageHouse, type PageHouse } from "../../../testing/page-house.ts";
import { constant, isNameable, type Payload, payloads, quoted } from "./payloads.ts";

/** A way by which a text of one person comes onto the page of another, or of themselves. */
export interface Place {
  readonly name: string;
  /** Whether the service takes the text there. */
  readonly takes: (payload: Payload) => boolean;
  /** Puts it there. Returns the screens that show it: who opens which address. */
  readonly put: (house: PageHouse["house"], payload: Payload, at: number) => Promise<readonly Sight[]>;
}

export interface Sight {
  readonly as: string;
  readonly address: string;
  /** What is shown there, where that is not the payload alone. */
  readonly text?: string;
}

const upTo =
  (characters: number) =>
  (payload: Payload): boolean =>
    payload.length <= characters;
/** Whether a text holds nothing that would not be seen. */
const isPrintable = (payload: Payload): boolean =>
  !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(payload);
const nameable = payloads.filter(isNameable);
const counting = "SELECT COUNT(*) AS n FROM people";

/** A policy whose names and categories are payloads, and a table whose values are. */
function hostileData(): { readonly policy: string; readonly people: string } {
  const columns = nameable.map((name) => `      ${JSON.stringify(name)}: { type: integer, bounds: [0, 9] }`);
  const categories = payloads.filter(isPrintable).map((each) => JSON.stringify(each));
  const policy = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
# ${nameable.join("\n# ")}
budget:
  measure: approximate
  epsilon: 100000
  delta: 0.5
  projects: { ${nameable.map((name) => `${JSON.stringify(name)}: { epsilon: 5, delta: 0.01 }`).join(", ")} }
tables:
  people:
    file: people.csv
    unit: row
    columns:
      age: { type: integer, bounds: [0, 100] }
      said: { type: text, categories: [${categories.join(", ")}] }
      word: { type: text }
${columns.join("\n")}
`;
  const csv = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const head = ["age", "said", "word", ...nameable].map(csv).join(",");
  // A value that many share is released as a group's key, whatever it is.
  const rows = payloads.flatMap((payload) =>
    Array.from({ length: 60 }, (_, at) =>
      [String(at), csv(payload), csv(payload), ...nameable.map(() => "1")].join(","),
    ),
  );
  return { policy, people: `${head}\n${rows.join("\n")}\n` };
}

/** A screen, and the payloads that it must show. */
export interface Shown {
  readonly sight: Sight;
  readonly due: readonly { readonly place: string; readonly payload: Payload }[];
}

/** Opens a service where every payload stands in every place that takes it, and returns which screens show which of them. */
export async function openHostileHouse(): Promise<{
  readonly pages: PageHouse;
  readonly shown: readonly Shown[];
}> {
  const pages = await openPageHouse({ data: hostileData() });
  const shown = new Map<string, { readonly sight: Sight; readonly due: Shown["due"][number][] }>();
  for (const { name, takes, put } of places)
    for (const [at, payload] of payloads.entries()) {
      if (!takes(payload)) continue;
      for (const sight of await put(pages.house, payload, at)) {
        const key = `${sight.as} ${sight.address}`;
        const held = shown.get(key) ?? { sight, due: [] };
        held.due.push({ place: name, payload: sight.text ?? payload });
        shown.set(key, held);
      }
    }
  return { pages, shown: [...shown.values()] };
}

async function sent(
  house: PageHouse["house"],
  path: string,
  how: Parameters<typeof house.send>[1],
): Promise<Response> {
  const response = await house.send(path, how);
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return response;
}

async function asked(house: PageHouse["house"], as: "analyst" | "bob", sql: string): Promise<string> {
  const json = {
    sql,
    epsilon: "1",
    ...(sql.includes("word") ? { delta: "0.001" } : {}),
    acceptUninformative: true,
  };
  const response = await sent(house, "/v1/query", { as, json });
  return encodeURIComponent(response.headers.get("lethe-request") ?? "");
}

const both = (address: string): readonly Sight[] => ["olga", "max"].map((as) => ({ as, address }));
const hash = (path: string, query: Readonly<Record<string, string>> = {}): string => {
  const words = new URLSearchParams(query).toString();
  return `#/${path.split("/").map(encodeURIComponent).join("/")}${words && `?${words}`}`;
};

/** Every place, by the routes of /v1 that take a text, and by the addresses that the page reads. */
export const places: readonly Place[] = [
  {
    name: "a person's name",
    takes: isNameable,
    put: async (house, name) => {
      await sent(house, "/v1/people", { as: "owner", json: { name, roles: ["analyst"] } });
      return [
        ...both("#/people"),
        { as: "olga", address: "#/budget" },
        { as: "max", address: "#/audit/log" },
      ];
    },
  },
  {
    name: "a person's projects",
    takes: upTo(100),
    put: async (house, name, at) => {
      const person = `projects ${at}`;
      await sent(house, "/v1/people", {
        as: "owner",
        json: { name: person, roles: ["auditor"], projects: [name] },
      });
      return both("#/people");
    },
  },
  {
    name: "a token's name",
    takes: (payload) => upTo(100)(payload) && isPrintable(payload),
    put: async (house, name) => {
      const expiresAt = new Date(Date.now() + 600_000).toISOString();
      await sent(house, "/v1/people/bob/tokens", {
        as: "bob",
        json: { name, roles: ["analyst"], expiresAt },
      });
      return [
        { as: "olga", address: "#/people/bob" },
        { as: "bob", address: "#/people" },
      ];
    },
  },
  {
    name: "a question's text",
    takes: (payload) => isPrintable(payload) && upTo(500)(payload),
    put: async (house, payload) => {
      const text = `${counting} WHERE word <> ${constant(payload)}`;
      await asked(house, "bob", text);
      return [
        ...both("#/audit/asked").map((sight) => ({ ...sight, text })),
        { as: "max", address: "#/audit/ledger", text: JSON.stringify(text).slice(1, -1) },
        { as: "bob", address: "#/history", text },
      ];
    },
  },
  {
    name: "the name of a column in an answer, and a constant as its key",
    takes: isNameable,
    put: async (house, payload, at) => {
      const sql = `SELECT CASE WHEN age > 20 THEN ${constant(payload)} ELSE 'other' END AS k, COUNT(*) AS ${quoted(payload)} FROM people GROUP BY k`;
      if (at !== 1) return [];
      const id = await asked(house, "bob", sql);
      return [
        { as: "bob", address: `#/history/${id}` },
        { as: "olga", address: `#/release/${id}?of=bob` },
        { as: "max", address: `#/release/${id}?of=bob` },
      ];
    },
  },
  {
    name: "a value of the data, as a key that was selected",
    takes: upTo(60),
    put: (() => {
      let id: Promise<string> | null = null;
      return async (house: PageHouse["house"]) => {
        id ??= asked(house, "bob", "SELECT word, COUNT(*) AS n FROM people GROUP BY word");
        return [
          { as: "bob", address: `#/history/${await id}` },
          { as: "olga", address: `#/release/${await id}?of=bob` },
        ];
      };
    })(),
  },
  {
    name: "a category of the policy, as a key that is public",
    takes: isNameable,
    put: (() => {
      let id: Promise<string> | null = null;
      return async (house: PageHouse["house"]) => {
        id ??= asked(house, "bob", "SELECT said, COUNT(*) AS n FROM people GROUP BY said");
        return [{ as: "bob", address: `#/history/${await id}` }, ...both("#/policy")];
      };
    })(),
  },
  {
    name: "a column's name in the policy",
    takes: isNameable,
    put: async () => [{ as: "ada", address: "#/ask" }, ...both("#/policy")],
  },
  {
    name: "a dashboard's name",
    takes: upTo(100),
    put: async (house, name) => {
      await sent(house, "/v1/dashboards", { as: "bob", json: { name, questions: [], readers: ["ada"] } });
      return [
        { as: "ada", address: "#/dashboards" },
        { as: "bob", address: "#/dashboards" },
      ];
    },
  },
  {
    name: "the name, titles, texts and prices on a dashboard",
    takes: upTo(100),
    put: async (house, title, at) => {
      if (at % 5 !== 0) return [];
      const questions = [
        { title, sql: `${counting} WHERE word = ${constant(title)}`, epsilon: title },
        { title: `2 ${title}`, sql: title, epsilon: null },
      ];
      const made = await sent(house, "/v1/dashboards", {
        as: "analyst",
        json: { name: title, questions, readers: isNameable(title) ? ["bob", title] : ["bob"] },
      });
      const { id } = (await made.json()) as { readonly id: string };
      return [{ as: "bob", address: hash(`dashboards/${id}`) }];
    },
  },
  {
    name: "the name to which an answer is offered",
    takes: isNameable,
    put: (() => {
      let id: Promise<string> | null = null;
      return async (house: PageHouse["house"], to: Payload) => {
        id ??= asked(house, "bob", `${counting} WHERE age > 3`);
        await sent(house, `/v1/releases/${await id}/offers`, { as: "bob", json: { to } });
        return [{ as: "max", address: "#/audit/log" }];
      };
    })(),
  },
  {
    name: "the part of the address after #, as a path",
    takes: (payload) => payloads.indexOf(payload) % 4 === 0 && !payload.includes("/"),
    put: async (_, payload) => [{ as: "max", address: hash(`help/${payload}`) }],
  },
  {
    name: "the part of the address after #, as a question",
    takes: (payload) => payloads.indexOf(payload) % 4 === 1,
    put: async (_, payload) => [{ as: "ada", address: hash("ask", { sql: payload, epsilon: payload }) }],
  },
  {
    name: "what is looked for in the audit",
    takes: (payload) => payloads.indexOf(payload) % 8 === 2 && upTo(200)(payload) && isPrintable(payload),
    put: async (_, payload) => [
      { as: "max", address: hash("audit/asked", { person: payload, word: payload, from: payload }) },
      { as: "max", address: hash("audit/log", { person: payload, kind: payload, to: payload }) },
    ],
  },
];

/** Addresses that name what is not there. The page says so, and need not repeat the text. */
export function strayAddresses(): readonly Sight[] {
  return payloads
    .filter((_, at) => at % 9 === 0)
    .flatMap((payload) => [
      { as: "olga", address: hash(`people/${payload}`) },
      { as: "olga", address: hash(`release/${payload}`, { of: payload }) },
      { as: "ada", address: hash(`history/${payload}`, { offer: payload }) },
      { as: "ada", address: hash(`dashboards/${payload}`) },
      { as: "ada", address: `#${payload}` },
      { as: "max", address: hash(payload) },
    ]);
}
