/** A request under whose charge a journey goes on. */
export interface JourneyName {
  readonly principal: string;
  readonly requestId: string;
}

/**
 * The journeys that go on at all processes of a service. A request is run by one of them at a time: whoever holds it charges, executes and settles. What a process that died held is another's once its lease is over; a process that
 * stalled and lost what it held neither settles nor fails it any more, unless nobody else has. That spares work and failures: that one answer alone is ever told is the ledger's promise, by which the first settlement wins.
 */
export interface Journeys {
  /** Takes a request for a journey of this process, and waits as long as another living process has it. Returns what tells it apart from every later holding of that request. */
  take(of: JourneyName): Promise<number>;
  /** Whether this process still has a request, by what {@link Journeys.take} returned. */
  holds(of: JourneyName, term: number): Promise<boolean>;
  /** Says in how many milliseconds the answer of a request that this process has may leave: until then it is under way for all processes, whatever becomes of this one. */
  schedule(of: JourneyName, inMs: number): Promise<void>;
  /** Lets go of a request, whose journey has ended. */
  end(of: JourneyName, term: number): Promise<void>;
  /** Whether a journey goes on under the charge of a request at another living process, or its slot has not come. Whoever asks it of an answer reads the answer first: what is settled before its slot is under way when it is settled. */
  isUnderWay(of: JourneyName): Promise<boolean>;
  /** Lets whoever waits for a request at another process wait no longer. */
  stopWaiting(of: JourneyName): void;
  /** Calls `stop` when another process says {@link Journeys.stopWaiting}, with what tells whether a request is the one that is meant. */
  onStop(stop: (isMeant: (of: JourneyName) => boolean) => void): void;
  /** Passes while the policy that this process serves is the service's. Errors: serve.busy, where another process put another one in place and this one is to start again. */
  requirePolicy(): Promise<void>;
}

/** The journeys of a service that is one process. */
export const ownJourneys: Journeys = {
  take: async () => 0,
  holds: async () => true,
  schedule: async () => undefined,
  end: async () => undefined,
  isUnderWay: async () => false,
  stopWaiting: () => undefined,
  onStop: () => undefined,
  requirePolicy: async () => undefined,
};
