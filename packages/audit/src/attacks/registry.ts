import { amplifiedWork } from "./amplified-work.ts";
import type { Attack } from "./attack.ts";
import { budget } from "./budget.ts";
import { averaging, differencing } from "./differencing.ts";
import { errorOracle } from "./error-oracle.ts";
import { groupKey } from "./group-key.ts";
import { attackOf } from "./guessing-game.ts";
import { linkage } from "./linkage.ts";
import { lowBits } from "./low-bits.ts";
import { membership } from "./membership.ts";
import { metadata } from "./metadata.ts";
import { movedUnit } from "./moved-unit.ts";
import { reconstruction } from "./reconstruction.ts";
import { timing } from "./timing.ts";

/** Every attack; a new one is its file and a line here. */
export const attacks: readonly Attack[] = [
  attackOf(differencing),
  attackOf(averaging),
  reconstruction,
  attackOf(membership),
  attackOf(linkage),
  attackOf(groupKey),
  attackOf(movedUnit),
  attackOf(lowBits),
  errorOracle,
  metadata,
  budget,
  amplifiedWork,
  timing,
];
