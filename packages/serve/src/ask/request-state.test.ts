import { afterEach, describe, expect, it } from "vitest";
import {
  openService,
  priced,
  type SmallService,
  type SmallSettings,
  turns,
} from "../testing/small-service.ts";
import type { Asker } from "./asker.ts";

const opened: SmallService[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});
async function open(settings: SmallSettings): Promise<SmallService> {
  const service = await openService(settings);
  opened.push(service);
  return service;
}

const ada: Asker = { principal: "ada" };
const request = { text: "SELECT COUNT(*) FROM people", options: priced("1") };
const ask = ({ door }: SmallService): Promise<string> =>
  door.ask(ada, request).then(
    ({ answer }) => answer.kind,
    (error) => error.code,
  );

/** The state of the one charge, by the door and by the ledger. */
async function states({ door, ledger }: SmallService): Promise<readonly string[]> {
  const [charge] = (await ledger.report()).charges;
  return charge ? [await door.stateOf(charge), charge.state] : [];
}

/** An engine that waits until it is told how to end. */
function held() {
  const ends: ((failed: boolean) => void)[] = [];
  const running = (): Promise<void> =>
    new Promise((resolve, reject) =>
      ends.push((failed) => (failed ? reject(new Error("no memory")) : resolve())),
    );
  return { ends, running };
}

describe("the state of a request", () => {
  it("is in flight until the answer, and settled or failed after it", async () => {
    for (const failed of [false, true]) {
      const { ends, running } = held();
      const service = await open({ running });
      const asking = ask(service);
      while (service.runs() === 0) await turns(1);
      expect(await states(service)).toEqual(["in-flight", "reserved"]);
      ends[0]?.(failed);
      expect(await asking).toBe(failed ? "engine.failed" : "release");
      expect(await states(service)).toEqual(failed ? ["failed", "failed"] : ["settled", "settled"]);
    }
  });

  it("is charged where nothing works on it here and it has no end", async () => {
    const { ends, running } = held();
    const service = await open({ running });
    const asking = ask(service);
    while (service.runs() === 0) await turns(1);
    const [charge] = (await service.ledger.report()).charges;
    const other = await open({});
    expect(await other.door.stateOf(charge!)).toBe("charged");
    ends[0]?.(false);
    await asking;
  });

  it("does not change before the slot, nor after it, whenever the execution ends and however", async () => {
    for (const [ends, after] of [
      ["before, with an answer", "settled"],
      ["before, with a failure", "failed"],
      ["after, with an answer", "failed"],
      ["after, with a failure", "failed"],
    ] as const) {
      const engine = held();
      const service = await open({ running: engine.running, more: "release_schedule: 2s" });
      const begun = service.timer.now();
      const asking = ask(service);
      while (service.runs() === 0) await turns(1);
      const [isEarly, hasFailed] = [ends.startsWith("before"), ends.endsWith("failure")];
      if (isEarly) engine.ends[0]?.(hasFailed);
      await turns();
      service.timer.go(begun + 1999);
      await turns();
      expect([ends, (await states(service))[0]]).toEqual([ends, "in-flight"]);
      service.timer.go(begun + 2000);
      await asking;
      expect([ends, (await states(service))[0]]).toEqual([ends, after]);
      if (!isEarly) engine.ends[0]?.(hasFailed);
      await turns();
      expect([ends, ...(await states(service))]).toEqual([
        ends,
        after,
        after === "settled" ? "settled" : "failed",
      ]);
    }
  });
});

describe("who stops waiting", () => {
  it("is refused, with all who wait for the same; the charge stands, and the answer is free once it is there", async () => {
    const { ends, running } = held();
    const service = await open({ running });
    const waiting = [ask(service), ask(service)];
    while (service.runs() === 0) await turns(1);
    const [charge] = (await service.ledger.report()).charges;
    // Another's request of the same id is another request.
    service.door.stopWaiting("bob", charge!.requestId);
    await turns();
    service.door.stopWaiting("ada", charge!.requestId);
    expect(await Promise.all(waiting)).toEqual(["serve.stopped", "serve.stopped"]);
    expect((await states(service))[0]).toBe("in-flight");
    const again = ask(service);
    ends[0]?.(false);
    expect(await again).toBe("release");
    expect(service.runs()).toBe(1);
    expect((await service.ledger.report()).charges).toHaveLength(1);
    // There is nobody left to stop.
    service.door.stopWaiting("ada", charge!.requestId);
    expect(await ask(service)).toBe("release");
  });
});
