export { type Candidate, type PrivateCandidates, privateCandidates } from "./private-candidates.ts";
