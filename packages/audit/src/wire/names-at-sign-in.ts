import type { AuditRow } from "../audits/audit-row.ts";
import { areApart, timesRow } from "./times-apart.ts";
import type { Wire, WireReply } from "./wire.ts";
import { notMade } from "./wire-row.ts";

const subject = "names at sign-in";
const claim = "a wrong password for a name that there is looks as one for a name that nobody has";
/** One address may fail so often at once; later tries have to wait. */
const free = 3;
const most = 5;
/** A wait that is told and longer is not waited for. */
const longestWait = 60_000;

/**
 * Signs in with wrong passwords under a name that there is and names that nobody has, in turns: bytes must be the same, and times not apart. Where times seem to be apart it goes on, as slowly as the service says.
 */
export async function namesAtSignIn(wire: Wire): Promise<AuditRow> {
  const [{ name }] = wire.analysts;
  const known: WireReply[] = [];
  const unknown: WireReply[] = [];
  const isUndecided = (): boolean => known.length < free || (known.length < most && areApart(known, unknown));
  while (isUndecided()) {
    const turn = known.length % 2 === 0 ? [name, wire.newName()] : [wire.newName(), name];
    for (const each of turn) {
      const reply = await wrong(wire, each);
      if (reply === null)
        return notMade(subject, claim, "this address has to wait too long before it may try again");
      if (reply.status === 0) return notMade(subject, claim, "no answer came to a sign-in");
      (each === name ? known : unknown).push(reply);
    }
  }
  const texts = new Set([...known, ...unknown].map(({ status, type, body }) => `${status} ${type} ${body}`));
  const passed = [...known, ...unknown].some(({ status }) => status < 400);
  const shown = passed
    ? "a wrong password signed in"
    : texts.size > 1
      ? `the refusals are ${texts.size} different ones`
      : null;
  const tries = `medians of ${known.length} tries each, of ${most} where times seem to be apart`;
  return timesRow(subject, claim, { known, unknown }, { shown, tries });
}

/** Tries a wrong password, when the service lets this address try; null where that is too late. */
async function wrong({ send, origin, newName, wait }: Wire, name: string): Promise<WireReply | null> {
  for (;;) {
    const reply = await send({
      method: "POST",
      path: "/v1/session",
      headers: { origin, "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ name, password: newName() }),
    });
    if (reply.status !== 429) return reply;
    const milliseconds = 1000 * Number(/"retryAfter":\s*"?(\d+)/.exec(reply.body)?.[1] ?? Number.NaN);
    if (!(milliseconds <= longestWait)) return null;
    await wait(milliseconds);
  }
}
