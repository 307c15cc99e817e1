import { expect, it } from "vitest";
import { open } from "./open.ts";
import { inFolder, peopleCsv, setUp } from "./testing/command-line.ts";

it("an opened policy explains for nothing, answers and charges each request once, and answers no more when it is closed", () =>
  inFolder({ "people.csv": peopleCsv }, async () => {
    await setUp();
    const unused = await open();
    await unused.close();

    const lethe = await open("lethe.yaml");
    const count = "SELECT COUNT(*) FROM people";
    const explained = await lethe.ask(`EXPLAIN PRIVACY ${count}`, { epsilon: 1 });
    expect(explained).toMatchObject({
      kind: "explanation",
      explanation: { price: { epsilon: "1" } },
    });
    expect((await lethe.budget()).charges).toEqual([]);

    const told: string[] = [];
    const asked = await lethe.ask(count, {
      epsilon: 0.5,
      requestId: "monday",
      principal: "eve",
      notice: (words) => told.push(words),
    });
    const again = await lethe.query(count, { epsilon: 0.5, requestId: "monday", principal: "eve" });
    expect(asked).toEqual({ kind: "release", release: again, repeat: null });
    expect(told).toEqual([]);
    const own = await lethe.query(count, { epsilon: 0.25 });
    expect(own.certificate).toMatchObject({
      principal: "owner",
      requestId: expect.stringMatching(/^q-[0-9a-f]{32}-1$/),
    });
    const { charges } = await lethe.budget();
    expect(charges.map(({ principal, requestId }) => [principal, requestId])).toEqual([
      ["eve", "monday"],
      ["owner", own.certificate.requestId],
    ]);

    await lethe.close();
    await expect(lethe.query(count, { epsilon: 0.25 })).rejects.toThrow();
    await expect(lethe.budget()).rejects.toThrow();
  }));
