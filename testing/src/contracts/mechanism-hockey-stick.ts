export {
  type Enclosure,
  exactly,
  hockeyStick,
  type Neighbours,
  type Outcome,
  product,
  renyiMoment,
  reversed,
} from "@lethe/audit/verify";
