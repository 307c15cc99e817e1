// account.<case>.cold: ε of DP-SGD within an interval of at most 1e-4, first call on a new event in a warm process, nothing
//   cached (each round has its own σ). Peer: dp_accounting's PLD accountant, a new one each time, in turn with ours.
// account.<case>.incremental: the same when one of σ, T or δ changed since the last answer: the slowest of the three.
//   account.<case>.incremental.<sigma|steps|delta> are the three.
// account.calibration.<case>: the least σ for (ε, δ), to 1e-4 of σ. Peer: dp_accounting's calibrate_dp_mechanism.
// account.random-allocation-1000: ε of one step of 1000, drawn at random. Peer, with --allocation-peer (a minute): PLD_accounting's adaptive search.
// fft.2^20: one real FFT of 2^20 doubles, its plan made before. Peer: numpy's.
// account.pairs.…: ./accounting/pairs.mjs; --only-pairs runs these alone. account.heterogeneous-100…: ./accounting/heterogeneous.mjs;
//   --only-heterogeneous.
// Options: --rounds N (7), --peer-rounds N (3), --prv: also prv_accountant, certified to 1e-3 (seconds to minutes a case),
//   --allocation-peer: also PLD_accounting.
// Cases and targets are those of testing/oracles/accounting.json; a wrong answer ends the bench.
import { readFileSync } from "node:fs";
import { account, dpSgdEvent, smallestNoise } from "@lethe/core";
import { realFft } from "@lethe/core/numeric";
import { heterogeneous } from "./accounting/heterogeneous.mjs";
import { pairs } from "./accounting/pairs.mjs";
import { figure, median } from "./figure.mjs";
import { startPeer } from "./peers/peer.mjs";

const accuracy = 1e-4;
const oracle = JSON.parse(
  readFileSync(new URL("../testing/oracles/accounting.json", import.meta.url), "utf8"),
);
const casesOf = (kind) =>
  oracle.cases
    .filter(({ id }) => id.startsWith(kind))
    .map((known) => ({ ...known, rate: known.q ?? known.batch / known.n }));

/** Each round has its own σ, so that no cache of either side knows it: the answer moves far less than it is certified to. */
const unseen = (sigma, round) => sigma * (1 + 1e-7 * (round + 1));

export default async function bench(options) {
  const rounds = numberOption(options, "--rounds", 7);
  const peerRounds = numberOption(options, "--peer-rounds", 3);
  const google = startPeer("dp_accounting");
  const microsoft = options.includes("--prv") ? startPeer("prv") : null;
  const numpy = startPeer("numpy");
  try {
    warmUp();
    if (!options.includes("--only-heterogeneous")) await pairs(google);
    if (options.includes("--only-pairs")) return;
    await heterogeneous(google, Math.min(3, rounds));
    if (options.includes("--only-heterogeneous")) return;
    for (const known of casesOf("sgd-")) {
      await cold(known, rounds, google, peerRounds, microsoft);
      incremental(known, rounds);
    }
    for (const known of casesOf("calib-")) await calibration(known, rounds, google, peerRounds);
    await allocation(Math.min(3, rounds), options.includes("--allocation-peer"));
    await fft(rounds, numpy);
  } finally {
    for (const peer of [google, microsoft, numpy]) peer?.stop();
  }
}

/** Compiles what the cases use, on another event. */
function warmUp() {
  for (let i = 0; i < 3; i++) epsilonOf({ rate: 0.05, sigma: 2 + i / 10, steps: 200, delta: 1e-5 });
}

const eventOf = ({ rate, sigma, steps }) => dpSgdEvent({ rate, noiseMultiplier: sigma, steps });
const epsilonOf = (run) => account(eventOf(run), { accuracy }).epsilon(run.delta);

function timed(work) {
  const start = performance.now();
  const value = work();
  return { ms: performance.now() - start, value };
}

async function cold(known, rounds, google, peerRounds, microsoft) {
  const ours = [];
  const theirs = [];
  for (let round = 0; round < rounds; round++) {
    const run = {
      rate: known.rate,
      sigma: unseen(known.sigma, round),
      steps: known.steps,
      delta: known.delta,
    };
    const { ms, value } = timed(() => epsilonOf(run));
    checkInterval(known, value);
    ours.push(ms);
    if (google === null || round >= peerRounds) continue;
    const answer = await google.ask("epsilon", run);
    checkNear(`${known.id}: dp_accounting`, answer.value, value.upper, 2 * known.atol);
    theirs.push(1000 * answer.seconds);
  }
  report(`account.${known.id}.cold`, ours, theirs);
  if (microsoft === null) return;
  const { rate, sigma, steps, delta } = known;
  const { seconds } = await microsoft.ask("epsilon", { rate, sigma, steps, delta, error: 1e-3 });
  report(`account.${known.id}.cold.prv-1e-3`, ours, [1000 * seconds]);
}

/** One base run is answered; then one parameter at a time moves by an amount a person would try, and is answered again. */
function incremental(known, rounds) {
  const { rate, sigma, steps, delta } = known;
  const step = account(eventOf({ rate, sigma, steps: 1 }), { accuracy });
  const run = step.power(steps);
  run.epsilon(delta);
  const changes = {
    sigma: (round) => epsilonOf({ rate, sigma: sigma * (1 + 0.01 * (round + 1)), steps, delta }),
    steps: (round) => step.power(steps + 100 * (round + 1)).epsilon(delta),
    delta: (round) => run.epsilon(delta / (round + 2)),
  };
  const medians = Object.entries(changes).map(([what, answer]) => {
    const times = Array.from({ length: rounds }, (_, round) => timed(() => answer(round)));
    for (const { value } of times) checkWidth(`${known.id} with another ${what}`, value);
    const middle = median(times.map(({ ms }) => ms));
    figure(`account.${known.id}.incremental.${what}`, middle, "ms");
    return middle;
  });
  figure(`account.${known.id}.incremental`, Math.max(...medians), "ms");
}

async function calibration(known, rounds, google, peerRounds) {
  const { id, rate, steps, delta, value, rtol } = known;
  const ours = [];
  const theirs = [];
  for (let round = 0; round < rounds; round++) {
    // Another ε each round: no round can use what the last one found.
    const epsilon = known.epsilon * (1 - 1e-7 * (round + 1));
    const eventAt = (sigma) => eventOf({ rate, sigma, steps });
    const found = timed(() => smallestNoise({ eventAt, epsilon, delta }));
    checkNear(id, found.value.value, value, 2 * rtol * value);
    ours.push(found.ms);
    if (google === null || round >= peerRounds) continue;
    const answer = await google.ask("sigma", { rate, steps, epsilon, delta, tolerance: rtol * value });
    checkNear(`${id}: dp_accounting`, answer.value, value, 2 * rtol * value);
    theirs.push(1000 * answer.seconds);
  }
  report(`account.calibration.${id}`, ours, theirs);
}

async function allocation(rounds, withPeer) {
  const times = Array.from({ length: rounds }, (_, round) => {
    const sigma = String(1 + 1e-7 * (round + 1));
    const event = {
      kind: "random-allocation",
      version: 1,
      steps: "1000",
      selected: "1",
      sigma,
      sensitivity: "1",
    };
    const { ms, value } = timed(() => account(event).epsilon(1e-6));
    if (!(value.lower <= value.upper && value.upper < Number.POSITIVE_INFINITY))
      throw new Error(`random allocation: [${value.lower}, ${value.upper}]`);
    return ms;
  });
  const peer = withPeer ? startPeer("pld_accounting") : null;
  const words = { sigma: 1, steps: 1000, selected: 1, epochs: 1, delta: 1e-6 };
  const theirs = peer === null ? [] : [1000 * (await peer.ask("allocation", words)).seconds];
  peer?.stop();
  report("account.random-allocation-1000", times, theirs);
}

async function fft(rounds, numpy) {
  const size = 2 ** 20;
  const signal = Float64Array.from({ length: size }, (_, i) => Math.sin(i * 0.1));
  const plan = realFft(size);
  const re = new Float64Array(size / 2 + 1);
  const im = new Float64Array(size / 2 + 1);
  const ours = [];
  const theirs = [];
  for (let round = 0; round < rounds + 2; round++) {
    const { ms } = timed(() => plan.forward(signal, re, im));
    const answer = await numpy?.ask("rfft", { log2: 20 });
    if (round < 2) continue; // compiled once
    ours.push(ms);
    if (answer === undefined) continue;
    const first = Math.hypot(re[1], im[1]);
    checkNear("fft.2^20: numpy", answer.value, first, 1e-9 * first);
    theirs.push(1000 * answer.seconds);
  }
  report("fft.2^20", ours, theirs);
}

/** Milliseconds; the ratio is value over peer as everywhere, so 0.2 is five times faster. */
function report(name, ours, theirs) {
  figure(name, median(ours), "ms", theirs.length === 0 ? null : median(theirs));
}

function checkInterval({ id, pld, atol }, bounds) {
  checkWidth(id, bounds);
  checkNear(id, bounds.upper, pld, atol);
}

function checkWidth(what, { lower, upper }) {
  if (!(upper - lower <= accuracy && lower >= 0))
    throw new Error(`${what}: [${lower}, ${upper}] is not certified to ${accuracy}`);
}

function checkNear(what, value, expected, slack) {
  if (!(Math.abs(value - expected) <= slack))
    throw new Error(`${what}: ${value}, expected ${expected} ± ${slack}`);
}

function numberOption(options, name, otherwise) {
  const place = options.indexOf(name);
  if (place < 0) return otherwise;
  const value = Number(options[place + 1]);
  if (!(Number.isSafeInteger(value) && value >= 1)) throw new Error(`${name} must be a whole number ≥ 1`);
  return value;
}
