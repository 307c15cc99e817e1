import { requestFor } from "../request-for.mjs";
import { brokenPromises } from "./broken-promises.mjs";
import { numberOf, questionOf } from "./question.mjs";

/**
 * Asks everything again that processes asked before they died, by one that lives, and judges what they and it were told. `verified` is whether the whole
 * chain holds, with the latest record that anybody was told of.
 */
export async function judgedChain(chain, module, told) {
  const { directory, affordable } = chain;
  const { again, unanswered } = await askedAgain(chain, module, told).catch((error) => ({
    again: [],
    unanswered: [`the ledger does not open: ${error.code ?? error.message}`],
  }));
  const all = [...told, ...again];
  const head = all
    .filter(({ did }) => did === "charged")
    .reduce((last, each) => (last && last.sequence > each.sequence ? last : each), null);
  const rows = await chain.rows();
  const found = brokenPromises(rows, all, affordable);
  const verified = await module.verifyLedger(directory, head ? { head } : {}).then(
    () => true,
    () => false,
  );
  const [charged, settled] = ["reserve", "settle"].map(
    (kind) => rows.filter((row) => row.kind === kind).length,
  );
  return { found: { ...found, lost: [...found.lost, ...unanswered] }, verified, charged, settled };
}

async function askedAgain({ directory, affordable }, module, told) {
  const again = [];
  const unanswered = [];
  const ledger = await module.openLedger(directory, { clock: Date.now });
  const ids = [...new Set(told.flatMap(({ did, id }) => (did === "asks" ? [id] : [])))];
  const ask = async (id) => {
    const { parts } = questionOf(numberOf(id));
    const reservation = await ledger.reserve(requestFor(id, String(affordable), parts));
    if (reservation.kind === "settled")
      return again.push({ did: "answered", id, release: reservation.release });
    const { sequence, hash } = reservation.charge;
    again.push({ did: "charged", id, sequence, hash });
    const release = await ledger.settle(reservation.charge, `${id} asked again`);
    return again.push({ did: "answered", id, release });
  };
  const refused = (id, error) => {
    if (error.code === "ledger.budget") again.push({ did: "refused", id });
    else unanswered.push(`${id} is not answered again: ${error.code ?? error.message}`);
  };
  await Promise.all(ids.map((id) => ask(id).catch((error) => refused(id, error))));
  await ledger.close();
  return { again, unanswered };
}
