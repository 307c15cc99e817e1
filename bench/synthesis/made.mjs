import { openTableSession } from "@lethe/core/mechanisms";
import { SeededSource } from "@lethe/core/tape";
import {
  countedTables,
  learnedFrom,
  sampleWork,
  sessionSource,
  sizesOf,
  synthesize,
  syntheticCodes,
  syntheticRowCount,
} from "@lethe/learn/synthesis";

/** Seconds of the processor, so that whoever else is at work does not count. */
const processor = () => process.cpuUsage().user / 1e6;

/**
 * Runs a plan over rows in memory: its rows, what they were drawn of, and the seconds from the plan to the fitted law, from there to the rows, and of both but for the counting, by the
 * processor's clock.
 */
export async function made(plan, columns, seed) {
  const [started, first] = [performance.now(), processor()];
  const session = openTableSession(plan.session, new SeededSource(seed));
  const tables = countedTables(columns);
  let counted = 0;
  const source = sessionSource(
    session,
    (shape) => {
      const before = processor();
      const table = tables(shape);
      counted += processor() - before;
      return table;
    },
    sizesOf(plan.domain),
  );
  const learned = learnedFrom(await synthesize(plan, source), plan);
  const fitted = performance.now();
  const drawn = syntheticCodes(learned, syntheticRowCount(learned), new SeededSource(seed + 1000));
  const own = processor() - first - counted;
  const seconds = { own, fitted: (fitted - started) / 1e3, drawn: (performance.now() - fitted) / 1e3 };
  return { columns: drawn, learned, seconds };
}

/** The speed that the command measures too, on invented tables, by the processor's clock. */
export function visitsInASecond() {
  let best = 0;
  for (let run = 0; run < 12; run++) {
    const before = processor();
    const visits = sampleWork();
    best = Math.max(best, visits / Math.max(1e-4, processor() - before));
  }
  return best;
}
