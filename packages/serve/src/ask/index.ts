export type { AskJob } from "./ask-job.ts";
export type { Asker, AskOutcome, AskRequest, ToldCharge, Waiting } from "./asker.ts";
export { askJobs, type WorkerParts } from "./do-ask-jobs.ts";
export { type JourneyName, type Journeys, ownJourneys } from "./journeys.ts";
export { type Door, type DoorCounts, type DoorParts, openDoor } from "./open-door.ts";
export { RecentValues } from "./recent-values.ts";
export { requestIdOfKey } from "./request-id-of-key.ts";
export type { RequestState } from "./request-state.ts";
