import { mostJoinedRows, readPolicy } from "@lethe/query";
import { expect, test } from "vitest";
import { planned } from "../../../../testing/src/planned.ts";
import { refused, rowsApart, rowsReply } from "../testing/played-game.ts";
import { amplifiedWork } from "./amplified-work.ts";
import type { Account, Asked, Laboratory, Reply, World } from "./services/service.ts";
import { uniforms } from "./services/uniforms.ts";

const holdsHer = ({ tables }: World): boolean =>
  tables.find(({ name }) => name === "people")!.rows.some(([id]) => id === 0);

/** Services that count what they are told to, by the world and the question; Lethe's plans are its own. */
function laboratory(exact: (isHer: boolean, joined: boolean, at: number) => Reply, refuses = false) {
  const opened: { world: World; asked: string[]; account: Account | null }[] = [];
  let open = 0;
  const service = (world: World, account: Account | null) => {
    open += 1;
    const one = { world, asked: [] as string[], account };
    opened.push(one);
    const budget = "budget: { measure: approximate, epsilon: 100, delta: 1e-6 }\n";
    return {
      async ask(question: string) {
        one.asked.push(question);
        return exact(holdsHer(world), question.includes(") AS joined"), one.asked.length - 1);
      },
      async whole(question: string, { epsilon }: Asked) {
        one.asked.push(question);
        expect(epsilon).toBe("1/100");
        const policy = readPolicy(`${world.policy}${budget}`);
        const plan = refuses ? null : await planned(question, policy).catch(() => null);
        if (plan === null) return { text: "no", reply: refused, charged: null };
        return { text: JSON.stringify({ certificate: { plan } }), reply: rowsReply([1]), charged: "1/100" };
      },
      async close() {
        open -= 1;
      },
    };
  };
  const made = {
    exact: async (world: World) => service(world, null),
    lethe: async (world: World, account: Account) => service(world, account),
  } as unknown as Laboratory;
  return { laboratory: made, opened, open: () => open };
}

const run = (lab: Laboratory) =>
  amplifiedWork.run(lab, { trials: 1, controls: 1, questions: 1, alpha: 0.1 }, uniforms(1));

test("one row's share of the work is the most joined rows that it adds to a question", async () => {
  const lab = laboratory((isHer, joined, at) =>
    rowsReply([joined ? (isHer ? 7 + at : 3) : isHer ? 200 * at : 40]),
  );
  const [exact, lethe] = await run(lab.laboratory);
  const rest = { attack: "amplified-work", blind: 0, note: "the rows of the join itself are counted" };
  // Eight questions: the last of them adds most.
  expect(exact).toMatchObject({
    ...rest,
    service: "exact answers",
    value: 1360,
    interval: [1360, 1360],
    trials: 1400,
    ceiling: null,
    control: 10_000,
  });
  expect(lab.open()).toBe(0);
  // What is counted of Lethe is the join of its own plan, with a seed in the seed's place.
  const joins = lab.opened.flatMap(({ asked }) =>
    asked.filter((question) => question.includes(") AS joined")),
  );
  const many = joins.length / 2;
  // Of what it does not refuse the last adds most: 7 and one more each beside 3.
  expect(many).toBeGreaterThanOrEqual(4);
  expect(lethe).toMatchObject({
    ...rest,
    service: "Lethe",
    value: many + 3,
    trials: many + 6,
    ceiling: mostJoinedRows,
    control: null,
  });
  expect(joins.some((question) => question.includes("'any seed'"))).toBe(true);
  expect(joins.some((question) => question.includes("$1"))).toBe(false);
});

test("a row that takes work away counts as one that adds it", async () => {
  const [exact] = await run(laboratory((isHer) => rowsReply([isHer ? 1 : 90])).laboratory);
  expect(exact).toMatchObject({ value: 89, trials: 1 });
});

test("what Lethe refuses is no work", async () => {
  const [, lethe] = await run(laboratory(() => rowsReply([9]), true).laboratory);
  expect(lethe).toMatchObject({ value: 0, trials: 0 });
});

test("a join that cannot be counted is no result", async () => {
  const failing = laboratory((_, joined) => (joined ? refused : rowsReply([1])));
  await expect(run(failing.laboratory)).rejects.toThrow(refused.kind === "refused" ? refused.message : "");
});

test("her row is the only difference, and meets many of a public table and of another's", async () => {
  const lab = laboratory(() => rowsReply([1]));
  await run(lab.laboratory);
  const [without, having] = lab.opened.map(({ world }) => world) as [World, World];
  expect(rowsApart(without, having)).toEqual([[], ["people: 0, hers"]]);
  const rows = (name: string) => having.tables.find((table) => table.name === name)!.rows;
  expect(rows("zips").filter(([zip]) => zip === "hers").length).toBeGreaterThanOrEqual(30);
  expect(rows("visits").filter(([person]) => person === 0).length).toBeGreaterThanOrEqual(12);
  expect(rows("people")).toHaveLength(41);
  // The others meet one row each.
  for (const [id, zip] of rows("people").slice(0, 40)) {
    expect(rows("zips").filter(([at]) => at === zip)).toHaveLength(1);
    expect(rows("visits").filter(([person]) => person === id)).toHaveLength(1);
  }
});
