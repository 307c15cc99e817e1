import { moveLedger, returnLedger, verifyLedger } from "@lethe/ledger";
import { broken, codeOf, newTables, pay, withLedger } from "./paying-gateway.mjs";

/** Codes that may be told while the server has no power. */
const allowed = ["ledger.unreadable", "ledger.busy"];

/**
 * Cuts the power of a ledger's server at the first write or flush that a question makes it do, then at the second, and so on until a question is answered before; each question under an id of its
 * own. The gateway goes on as the power comes back, and each question is asked again, twice. `how` is one of cutAt's; where `keepsHead` is false nothing but the server knows how far the ledger
 * had come. Gives { cuts, found }.
 */
export async function everyWriteOfQuestions(supply, how, { keepsHead = true } = {}) {
  const url = await newTables(supply.server, `questions_${how}`);
  return withLedger({ url, keepsHead }, async (ledger) => {
    const told = [];
    return untilUncut(how, 1, async (at, found) => {
      const id = `${how}-${at}`;
      const { isCut, outcome } = await supply.cutAt(at, how, () => pay(ledger, id, told));
      if (outcome !== null && !allowed.includes(outcome)) found(`was told ${outcome}`);
      for (const turn of ["again", "a third time"]) {
        const code = await pay(ledger, id, told);
        if (code !== null) found(`is not answered ${turn}: ${code}`);
      }
      await judge(ledger, told, found);
      return isCut;
    });
  });
}

/**
 * The same for a ledger that moves: "there", from a file to tables, or "back". A move that was cut off is asked for again; then a question is paid for where the ledger lies. Of the writes one in each
 * `stride` is taken.
 */
export async function everyWriteOfMoves(supply, how, way, { stride = 1 } = {}) {
  return untilUncut(`${way} ${how}`, stride, async (at, found) => {
    const url = await newTables(supply.server, `${way}_${how}_${at}`);
    return withLedger({ url: way === "there" ? undefined : url }, async (ledger) => {
      const { directory, headFile } = ledger;
      const move = () =>
        way === "there" ? moveLedger(directory, url, { headFile }) : returnLedger(directory, { headFile });
      const told = [];
      for (const id of ["one", "two"]) await pay(ledger, id, told);
      const { isCut, outcome } = await supply.cutAt(at, how, () => move().then(() => null, codeOf));
      if (outcome !== null && !allowed.includes(outcome)) found(`was told ${outcome}`);
      await move().catch((error) => found(`does not go on: ${codeOf(error)}`));
      await pay(ledger, "three", told);
      await judge(ledger, told, found);
      if (told.filter(({ did }) => did === "answered").length !== 3) found("was not answered");
      return isCut;
    });
  });
}

async function judge(ledger, told, found) {
  for (const violation of await broken(ledger, told)) found(violation);
  await verifyLedger(ledger.directory, ledger).catch((error) => found(`does not hold: ${codeOf(error)}`));
}

/** Plays with k = 1, 1 + stride, … until the power was not cut, or a promise was broken. */
async function untilUncut(name, stride, play) {
  const all = [];
  for (let [at, cuts] = [1, 0]; ; at += stride) {
    const isCut = await play(at, (what) => all.push(`${name} ${at}: ${what}`));
    cuts += isCut ? 1 : 0;
    if (!isCut || all.length > 0) return { cuts, found: all };
  }
}
