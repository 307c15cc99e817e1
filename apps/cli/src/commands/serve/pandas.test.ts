import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { inFolder, lethe, peopleCsv, setUp } from "../../testing/command-line.ts";
import { startService } from "./serve.ts";

/** The interpreter that has pandas: LETHE_PYTHON names it where it is not the usual one. */
const python = process.env.LETHE_PYTHON ?? "python3";
const hasPandas = spawnSync(python, ["-c", "import pandas, pyarrow.ipc"]).status === 0;

const page = readFileSync(
  fileURLToPath(new URL("../../../../../docs/how-to/serve.md", import.meta.url)),
  "utf8",
);
const [, example = ""] = /^```(?:python|text)\n(import io, json[^`]+)```/m.exec(page) ?? [];

test.skipIf(!hasPandas)(
  "the example of the page brings an answer into pandas (needs python3 with pandas and pyarrow)",
  async () => {
    expect(example).toContain("read_pandas");
    await inFolder({ "people.csv": peopleCsv }, async () => {
      await setUp();
      const { out } = await lethe("people", "add", "ada");
      const token = /lethe_[0-9a-f]{16}_[\w-]{43}/.exec(out)?.[0] ?? "";
      const sql = "SELECT sector, AVG(wage) AS mean FROM people GROUP BY sector";
      const flags = { config: "lethe-serve.yaml", named: false, port: "0" };
      const running = await startService(flags, () => undefined);
      try {
        await running.ready();
        const given = `sql, token = ${JSON.stringify(sql)}, ${JSON.stringify(token)}\n`;
        const shown = `print(json.dumps({"types": [str(t) for t in frame.dtypes], "rows": json.loads(frame.to_json(orient="records"))}))`;
        const program = `${given}${example.replaceAll("http://127.0.0.1:8377", running.url)}${shown}\n`;
        const { stdout } = await promisify(execFile)(python, ["-c", program]);
        const csv = await lethe("query", sql, "--epsilon", "0.5", "--as", "ada", "--format", "json");
        const { columns, rows } = JSON.parse(csv.out);
        const frame = JSON.parse(stdout);
        expect(Object.keys(frame.rows[0])).toEqual(["sector", "mean", "mean_lower", "mean_upper"]);
        expect(frame.types.slice(1)).toEqual(["float64", "float64", "float64"]);
        expect(columns).toHaveLength(2);
        // pandas writes 10 digits, unless told otherwise.
        for (const [at, [sector, { value, lower, upper }]] of rows.entries()) {
          const row = frame.rows[at];
          expect(row.sector).toBe(sector);
          expect(row.mean).toBeCloseTo(value, 6);
          expect(row.mean_lower).toBeCloseTo(lower, 6);
          expect(row.mean_upper).toBeCloseTo(upper, 6);
        }
      } finally {
        await running.close();
      }
    });
  },
);
