import { expect, it } from "vitest";
import { open, toDecimal, toText } from "./index.ts";
import { inFolder, peopleCsv, setUp } from "./testing/command-line.ts";

it("writes what a budget has spent, which is exact", () =>
  inFolder({ "people.csv": peopleCsv }, async () => {
    await setUp();
    const lethe = await open("lethe.yaml");
    try {
      await lethe.query("SELECT COUNT(*) FROM people", { epsilon: "1/3" });
      const { spent, left, granted } = await lethe.budget();
      const written = [spent, left, granted].map((loss) =>
        loss !== null && "epsilon" in loss ? toText(loss.epsilon) : loss,
      );
      expect(written).toEqual(["1/3", "14/3", "5"]);
      expect("epsilon" in spent && toDecimal(spent.epsilon, "up", 3)).toBe("0.334");
    } finally {
      await lethe.close();
    }
  }));
