import { notMade, passed, type Verdict, verdict } from "../checks/check.ts";
import { areClose, hidden, type Seen } from "../derive/released/released-value.ts";
import type { Release, ReleasedValue } from "../format/release.ts";
import { answersOf } from "./answers-of.ts";
import { overRows } from "./over-rows.ts";
import { stepsLeft, Unmade } from "./unmade.ts";

/** Checks that the values which questions read of the answers before them are those which their relations make of the released rows. */
export function releasedFollow(release: Release): Verdict {
  const { released = [], certificate } = release;
  const { released: read } = certificate.plan;
  if (!read) return passed("no question of the text reads the value of an answer");
  const answers = answersOf(release);
  const stated = new Map(released.map(({ sql, value }) => [sql, value]));
  const amiss: string[] = [];
  let isHidden = false;
  for (const { sql, of } of read) {
    const due = dueValue(() => overRows(of, answers, stepsLeft()).rows);
    if (due === hidden) isHidden = true;
    else if (!isSame(stated.get(sql) ?? null, due))
      amiss.push(`the value of ${sql} is not what its answer gives`);
  }
  if (amiss.length === 0 && isHidden)
    return notMade("a value that a question reads rests on values that rounding may have decided");
  return verdict(amiss, "the values that questions read of answers follow from the released rows");
}

/** The one cell of the first row; NULL of no row. */
function dueValue(rows: () => ReturnType<typeof overRows>["rows"]): Seen {
  try {
    const [first] = rows();
    const [cell] = first ?? [];
    return cell === undefined ? null : cell.value;
  } catch (error) {
    if (error instanceof Unmade) return hidden;
    throw error;
  }
}

function isSame(stated: ReleasedValue["value"], due: Exclude<Seen, typeof hidden>): boolean {
  const number = typeof due === "bigint" ? Number(due) : due;
  if (typeof stated === "number" && typeof number === "number") return areClose(stated, number);
  return stated === number;
}
