/** One sound for each outcome, so that a scanner need not look. */
import type { Outcome } from '../device/queue.ts';

const tones: Readonly<Record<Outcome['kind'], readonly number[]>> = {
  queued: [660],
  done: [880, 1_175],
  refused: [220, 165],
};

const toneSeconds = 0.12;
let context: AudioContext | undefined;

export function sound(kind: Outcome['kind']): void {
  context ??= new AudioContext();
  // A browser keeps a page silent until it has been touched.
  void context.resume();
  tones[kind].forEach((frequency, index) => {
    if (context === undefined) return;
    const tone = context.createOscillator();
    tone.frequency.value = frequency;
    tone.connect(context.destination);
    const start = context.currentTime + index * toneSeconds;
    tone.start(start);
    tone.stop(start + toneSeconds);
  });
}
