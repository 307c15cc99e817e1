import { type AskOptions, type LetheClient, LetheProblem } from "@lethe/client";
import { expect, test } from "vitest";
import { savedAnswer } from "./saved-answer.ts";

const refusal = (code: string, retryAfterMs: number | null = null): LetheProblem =>
  Object.assign(Object.create(LetheProblem.prototype) as LetheProblem, { code, retryAfterMs });

/** A service of which each call is noted. What is stated decides its replies; a problem is thrown. */
function service(explains: readonly unknown[], answers: readonly unknown[] = []) {
  const asked: AskOptions[] = [];
  const reply = (left: unknown[]) => {
    const next = left.shift();
    if (next instanceof LetheProblem) throw next;
    return next;
  };
  const [explained, answered] = [[...explains], [...answers]];
  const lethe = {
    explain: async () => reply(explained),
    ask: async (_: string, options: AskOptions) => {
      asked.push(options);
      return reply(answered);
    },
  } as unknown as LetheClient;
  return { lethe, asked };
}

const plan = { earlier: null };
const paid = { earlier: { requestId: "q-1", asOf: "" } };
const question = "SELECT COUNT(*) FROM people";

test("what was not paid for is not asked", async () => {
  const { lethe, asked } = service([plan]);
  expect(await savedAnswer(lethe, question, {})).toEqual({ plan, answer: null });
  expect(asked).toEqual([]);
});

test("an earlier answer is asked for so that nothing can be charged", async () => {
  const { lethe, asked } = service([paid], ["the answer"]);
  expect(await savedAnswer(lethe, question, { epsilon: "1" })).toEqual({ plan: paid, answer: "the answer" });
  expect(asked).toEqual([{ epsilon: "1", made: true }]);
});

test("where the earlier answer has ended meanwhile, none is shown", async () => {
  const { lethe, asked } = service([paid], [refusal("query.option")]);
  expect(await savedAnswer(lethe, question, {})).toEqual({ plan: paid, answer: null });
  expect(asked).toHaveLength(1);
});

test("what has no price is answered; other refusals are told", async () => {
  const free = service([refusal("query.public")], ["rows"]);
  expect(await savedAnswer(free.lethe, question, {})).toEqual({ plan: null, answer: "rows" });
  const catalog = service([refusal("query.unsupported")], ["tables"]);
  expect(await savedAnswer(catalog.lethe, "SHOW TABLES", {})).toEqual({ plan: null, answer: "tables" });
  const refused = service([refusal("query.unsupported")]);
  await expect(savedAnswer(refused.lethe, "DROP TABLE people", {})).rejects.toMatchObject({
    code: "query.unsupported",
  });
  expect(refused.asked).toEqual([]);
});

test("where the service is asked too often, it is asked again after the time that it names", async () => {
  const { lethe } = service([refusal("serve.too-many", 1), refusal("serve.too-many", 1), plan]);
  expect(await savedAnswer(lethe, question, {})).toEqual({ plan, answer: null });
  const closed = service([refusal("serve.too-many")]);
  await expect(savedAnswer(closed.lethe, question, {})).rejects.toMatchObject({ code: "serve.too-many" });
});
