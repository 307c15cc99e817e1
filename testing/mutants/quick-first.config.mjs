// The tests of the house, those first that were quick when they last ran: with --bail a fault that one of them sees does not wait for the slow ones.
import { mergeConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import house from "../../vitest.config.ts";

class QuickFirst extends BaseSequencer {
  async sort(files) {
    return (await super.sort(files)).reverse();
  }
}

export default mergeConfig(house, { test: { sequence: { sequencer: QuickFirst } } });
