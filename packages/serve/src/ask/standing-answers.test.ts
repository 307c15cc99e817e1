import { afterEach, describe, expect, it, vi } from "vitest";
import { openService, priced, type SmallService, type SmallSettings } from "../testing/small-service.ts";
import type { AskOutcome, AskRequest } from "./asker.ts";

/*
 * An answer that was seen to stand is shown again without a look at the ledger, as long as that has no newer record. Here another process writes the same ledger, or time goes on, in between.
 */

const ada = { principal: "ada" };
// The day is stated, so that the question is the same on the next one.
const options = { ...priced("1"), today: "2024-06-11" };
const question: AskRequest = { text: "SELECT COUNT(*) FROM people", options };
const budget =
  "{ measure: pure, epsilon: 1000, windows: [{ per: day, epsilon: 2 }], analysts: { ada: 500 } }";

let service: SmallService;
afterEach(() => service.close());

/** Opens a service whose answer to the question was given, and shown twice. */
async function shownTwice(settings: SmallSettings = {}): Promise<AskOutcome> {
  service = await openService(settings);
  for (const _time of [1, 2]) await service.door.ask(ada, question);
  return service.door.ask(ada, question);
}

const charges = async (): Promise<number> => (await service.ledger.report()).charges.length;

describe("an answer that stands", () => {
  it("is looked for again once there is a newer record, and not before", async () => {
    const before = await shownTwice();
    const looked = vi.spyOn(service.ledger, "settled");
    for (const _time of [1, 2, 3]) expect(await service.door.ask(ada, question)).toBe(before);
    expect(looked).toHaveBeenCalledTimes(0);
    const other = await service.elsewhere();
    await other.door.ask({ principal: "owner" }, question);
    for (const _time of [1, 2, 3]) expect(await service.door.ask(ada, question)).toBe(before);
    // The bytes that settled it are its bytes for good: whether a newer one is there was looked for, once.
    expect(looked.mock.calls.map(([id]) => id.replace(/^.*-/, ""))).toEqual(["2"]);
  });

  it("is shown no more to who was revoked by another process, and again to who was let in again", async () => {
    const before = await shownTwice();
    const { ledger } = await service.elsewhere();
    const scope = ["analyst", "ada"] as const;
    await ledger.limit({ scope, what: "revoke", reason: "left" });
    await expect(service.door.ask(ada, question)).rejects.toMatchObject({ code: "ledger.principal" });
    await expect(service.door.ask(ada, question)).rejects.toMatchObject({ code: "ledger.principal" });
    await ledger.limit({ scope, what: "reopen", reason: "came back" });
    expect(await service.door.ask(ada, question)).toEqual(before);
    expect(await charges()).toBe(1);
  });

  it("is shown no more once another process paid for a newer one", async () => {
    const before = await shownTwice();
    const other = await service.elsewhere();
    await other.door.ask(ada, { ...question, repeats: "anew" });
    const { answer } = await service.door.ask(ada, question);
    expect(answer.kind).toBe("made");
    expect(answer).not.toEqual(before.answer);
    expect(await charges()).toBe(2);
  });

  it("is shown for nothing in a window that is spent, and in the next one", async () => {
    const before = await shownTwice({ budget });
    await service.door.ask(ada, { ...question, repeats: "anew", text: `${question.text} WHERE age > 1` });
    await expect(
      service.door.ask(ada, { ...question, text: `${question.text} WHERE age > 2` }),
    ).rejects.toMatchObject({ code: "ledger.budget" });
    expect(await service.door.ask(ada, question)).toEqual(before);
    service.timer.go(service.timer.now() + 24 * 3_600_000);
    expect(await service.door.ask(ada, question)).toEqual(before);
    expect(await charges()).toBe(2);
  });

  it("is shown no more once its period is over, though the ledger has no newer record", async () => {
    await shownTwice({ imported: false, more: "answers_valid: 1m" });
    service.timer.go(service.timer.now() + 60_000);
    await service.door.ask(ada, question);
    expect(await charges()).toBe(2);
  });
});
