/** The short form of the simulation, a half of it: each file runs in a worker of its own. */
import { expectSeedsToHold } from './seeds.ts';

expectSeedsToHold({ from: 1, runs: 10_000 });
