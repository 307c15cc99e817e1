// The power of a ledger's PostgreSQL is cut before each write and flush that a question makes it do, and a move of the ledger there and back: see testing/src/power. What was written stays, or half of
// the last write does, or what was not flushed is lost; then the server comes back, the gateway goes on, and all is asked again and judged. ledger-postgres-writes.cuts, and .broken: promises broken (target
// 0); .lied: whether a disk that says that it has written what it has not is found out (target 1). Needs Linux and a C compiler. Ends with 1 where a target was missed.
import { everyWriteOfMoves, everyWriteOfQuestions } from "../testing/src/power/every-server-write.mjs";
import { powerSupply } from "../testing/src/power/power-supply.mjs";
import { figure } from "./figure.mjs";
import { startServer } from "./postgres-server.mjs";

const ways = ["kept", "torn", "lost"];

export default async function bench() {
  const supply = await powerSupply(startServer);
  try {
    const stories = [
      ...ways.map((how) => [`question.${how}`, () => everyWriteOfQuestions(supply, how)]),
      ...["there", "back"].flatMap((way) =>
        ways.map((how) => [`${way}.${how}`, () => everyWriteOfMoves(supply, how, way)]),
      ),
    ];
    let [cuts, broken] = [0, 0];
    for (const [name, play] of stories) {
      const played = await play();
      for (const what of played.found) console.error(what);
      figure(`ledger-postgres-writes.${name}`, played.cuts, "cuts");
      cuts += played.cuts;
      broken += played.found.length;
    }
    const { found } = await everyWriteOfQuestions(supply, "lied", { keepsHead: false });
    const lied = found.some((what) => what.includes("was lost")) ? 1 : 0;
    figure("ledger-postgres-writes.cuts", cuts, "cuts");
    figure("ledger-postgres-writes.broken", broken, `of ${cuts} cuts`, 0, null);
    figure("ledger-postgres-writes.lied", lied, "found", 1, null);
    if (broken > 0 || lied === 0) process.exitCode = 1;
  } finally {
    await supply.stop();
  }
}
