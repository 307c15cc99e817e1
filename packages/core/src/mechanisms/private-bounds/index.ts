export {
  type ChosenBounds,
  choosePrivateBounds,
  geometricCandidates,
  type PrivateBoundsSetting,
  privateBoundsEvent,
  privateBoundsReach,
} from "./private-bounds.ts";
