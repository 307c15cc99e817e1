// npm run bench -- trino-tumult [--rows 2000000] [--rounds 5] [--heap 3072]
// trino-tumult.count: seconds of a count by twelve groups at ε 1 over forty visits a person, of which five groups × three rows count, from its text to a signed release, charged in a durable ledger, by Lethe over a Trino of one node
// that the bench starts (npm run trino:get); peer: seconds of the same by Tumult Analytics on Spark of the same machine (bench/peers/setup tumult), over the same files of Parquet. In turns, both warm, medians; the ratio is the median
// of the rounds' ratios. Both answers must be about the same count of rows.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { init, open } from "lethe";
import { startTrino } from "../scripts/trino/cluster.mjs";
import { makeClinic } from "../scripts/trino/workers/clinic.mjs";
import { figure, median } from "./figure.mjs";
import { startPeer } from "./peers/peer.mjs";

const wards = Array.from({ length: 12 }, (_, n) => `w${n}`);
const [mostGroups, mostRows] = [5, 3];
const question = "SELECT ward, COUNT(*) AS visits FROM visits GROUP BY ward";

const policy = `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
database: { kind: trino, url_env: LETHE_DATABASE_URL }
tables:
  visits: { relation: iceberg.clinic.visits, unit: person, max_groups_contributed: ${mostGroups}, max_rows_contributed_per_group: ${mostRows},
    columns: { person: { type: integer }, ward: { type: text, categories: [${wards}] } } }
budget: { measure: pure, epsilon: 1000 }
`;

export default async function bench(args) {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: "string", default: "2000000" },
      rounds: { type: "string", default: "5" },
      heap: { type: "string", default: "3072" },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), "lethe-tumult-"));
  const warehouse = join(folder, "warehouse");
  const trino = await startTrino({ warehouse, heapMiB: Number(values.heap) });
  const peer = startPeer("tumult", ".venv-tumult");
  const before = process.cwd();
  process.env.LETHE_DATABASE_URL = `${trino.url.replace("//", "//lethe@")}/iceberg/clinic`;
  try {
    await makeClinic(trino.url, "clinic", Number(values.rows));
    writeFileSync(join(folder, "lethe.yaml"), policy);
    process.chdir(folder);
    await init();
    const lethe = await open("lethe.yaml");
    const files = join(warehouse, "iceberg", "clinic", "visits-*", "data", "*.parquet");
    const ours = async () => {
      const start = performance.now();
      const { rows } = await lethe.query(question, { epsilon: "1", fresh: true });
      return {
        seconds: (performance.now() - start) / 1000,
        total: totalOf(rows.map(([ward, count]) => [ward, count.value])),
      };
    };
    const theirs = async () => {
      if (peer === null) return null;
      const words = { files, unit: "person", key: "ward", groups: wards, epsilon: 1 };
      const { seconds, value } = await peer.ask("count", {
        ...words,
        most_groups: mostGroups,
        most_rows: mostRows,
      });
      return { seconds, total: totalOf(Object.entries(value)) };
    };
    const rounds = [];
    for (let round = 0; round <= Number(values.rounds); round += 1) {
      const [our, their] = [await ours(), await theirs()];
      if (their !== null && !(Math.abs(our.total / their.total - 1) < 0.05))
        throw new Error(`the answers differ: ${our.total} and ${their.total} visits`);
      // The first round warms both.
      if (round > 0) rounds.push({ our: our.seconds, their: their?.seconds ?? null });
    }
    await lethe.close();
    const seconds = median(rounds.map(({ our }) => our));
    if (peer === null) figure("trino-tumult.count", seconds, "s");
    else
      figure(
        "trino-tumult.count",
        seconds,
        "s",
        median(rounds.map(({ their }) => their)),
        median(rounds.map(({ our, their }) => our / their)),
      );
  } finally {
    process.chdir(before);
    peer?.stop();
    await trino.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The visits of all wards but NULL, which one side lists among its groups. */
function totalOf(counts) {
  return counts.filter(([ward]) => wards.includes(ward)).reduce((sum, [, count]) => sum + count, 0);
}
