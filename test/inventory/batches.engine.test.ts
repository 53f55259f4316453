/** What holds of one request holds of each in a batch: several requests for one SKU in one write. */
import { describe, expect, it } from 'vitest';
import type { Action } from '../../src/domain/action.ts';
import type { ActionAnswer } from '../../src/inventory/answer.ts';
import type { RunningInventory } from '../../src/inventory/create-inventory.ts';
import type { Ports } from '../../src/inventory/ports.ts';
import { action, receive, reservationId, reserve, ship } from '../support/actions.ts';
import type { CrashPoint } from '../support/faulty-ports.ts';
import { Crash, crashingPorts, losingAnswers } from '../support/faulty-ports.ts';
import { done, outcome, useStockroom } from '../support/stockroom.ts';

const room = useStockroom();

/** Posts all at once: the first goes alone, the others together in the next write. */
function postAll(
  inventory: RunningInventory,
  requests: readonly Action[],
): Promise<ActionAnswer | undefined>[] {
  return requests.map(async (request) => {
    try {
      return await inventory.post(request);
    } catch (error) {
      if (error instanceof Crash) return undefined;
      throw error;
    }
  });
}

function sixShips(id: string): readonly Action[] {
  return Array.from({ length: 6 }, (_, index) => action(ship('A1', index + 1), { id }));
}

/** Ports that hold the first swap until the gate opens, so that what comes meanwhile waits. */
function gated(ports: Ports): {
  readonly ports: Ports;
  readonly open: () => void;
  readonly swaps: number[];
} {
  const swaps: number[] = [];
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const swap: Ports['skus']['swap'] = async (change) => {
    swaps.push(change.movements.length);
    if (swaps.length === 1) await opened;
    return ports.skus.swap(change);
  };
  return { ports: { ...ports, skus: { ...ports.skus, swap } }, open, swaps };
}

async function expectEachOnce(id: string, requests: readonly Action[]): Promise<void> {
  const entries = await room.entries(id);
  for (const { actionId } of requests) {
    expect(entries.filter((entry) => entry.actionId === actionId)).toHaveLength(1);
  }
  expect(await room.faults(id)).toEqual([]);
}

describe('a process that dies with a batch under way', () => {
  it('leaves one effect of each request after the retries, at whichever call it died', async () => {
    await room.stockSku('COUNT', { A1: 100 });
    const watched = crashingPorts(room.ports());
    await Promise.all(postAll(room.process(watched.ports), sixShips('COUNT')));
    expect(watched.calls.filter((call) => call === 'skus.swap')).toHaveLength(2);
    for (let call = 1; call <= watched.calls.length; call += 1) {
      for (const side of ['before', 'after'] as const)
        await dieAndRetry(`DIE-${call}-${side}`, { call, side });
    }
  });

  async function dieAndRetry(id: string, point: CrashPoint): Promise<void> {
    await room.stockSku(id, { A1: 100 });
    const requests = sixShips(id);
    const { ports } = crashingPorts(room.ports(), point);
    const answers = await Promise.all(postAll(room.process(ports), requests));
    expect(answers.some((answer) => answer === undefined)).toBe(true);
    const retries = await Promise.all(requests.map((request) => done(room.process(), request)));
    for (const [index, answer] of answers.entries()) {
      if (answer?.kind === 'moved') expect(retries[index]?.movement).toEqual(answer.movement);
    }
    expect((await room.document(id)).levels).toEqual([{ location: 'A1', onHand: 100 - 21 }]);
    await expectEachOnce(id, requests);
  }
});

describe('a batch whose write has a lost answer', () => {
  it.each(['request', 'answer'] as const)(
    'applies each of its requests once (the %s was lost)',
    async (lost) => {
      const id = `LOSTBATCH-${lost}`;
      await room.stockSku(id, { A1: 100 });
      let swaps = 0;
      const ports = losingAnswers(room.ports(), (name) => {
        if (name === 'skus.swap') swaps += 1;
        return name === 'skus.swap' && swaps === 2 ? lost : 'nothing';
      });
      const requests = sixShips(id);
      const answers = await Promise.all(postAll(room.process(ports), requests));
      expect(answers.map((answer) => answer && outcome(answer))).toEqual(Array(6).fill('moved'));
      expect((await room.document(id)).levels).toEqual([{ location: 'A1', onHand: 100 - 21 }]);
      await expectEachOnce(id, requests);
    },
  );
});

describe('a batch', () => {
  it('goes out as one write, in the order of arrival', async () => {
    await room.stockSku('ORDER', { A1: 100 });
    const { ports, open, swaps } = gated(room.ports());
    const requests = Array.from({ length: 41 }, () => action(ship('A1', 1), { id: 'ORDER' }));
    const answers = postAll(room.process(ports), requests);
    open();
    const ordinals = (await Promise.all(answers)).map((answer) =>
      answer?.kind === 'moved' ? answer.movement.ordinal : 0,
    );
    expect(swaps).toEqual([1, 40]);
    expect(ordinals).toEqual(ordinals.toSorted((one, other) => one - other));
  });

  it('lets a refusal and a repeat concern only themselves', async () => {
    await room.stockSku('PARTS', { A1: 10 });
    const { ports, open } = gated(room.ports());
    const inventory = room.process(ports);
    const first = action(ship('A1', 1), { id: 'PARTS' });
    const requests = [
      first,
      action(ship('A1', 20), { id: 'PARTS' }),
      first,
      action(ship('A1', 9), { id: 'PARTS' }),
      action(ship('A1', 1), { id: 'PARTS' }),
      action(receive('A1', 5), { id: 'PARTS' }),
    ];
    const answers = postAll(inventory, requests);
    open();
    const words = (await Promise.all(answers)).map((answer) => answer && outcome(answer));
    expect(words).toEqual([
      'moved',
      'insufficient-stock',
      'replayed',
      'moved',
      'insufficient-stock',
      'moved',
    ]);
    expect((await room.document('PARTS')).levels).toEqual([{ location: 'A1', onHand: 5 }]);
    expect(await room.faults('PARTS')).toEqual([]);
  });

  it('never carries one key twice, nor two ends of one hold, nor two reversals of one movement', async () => {
    await room.stockSku('FOLLOW', { A1: 100 });
    const plain = room.process();
    const held = await done(plain, action(reserve('A1', 10), { id: 'FOLLOW' }));
    const original = (await done(plain, action(ship('A1', 4), { id: 'FOLLOW' }))).movement;
    const { ports, open } = gated(room.ports());
    const same = action(ship('A1', 7), { id: 'FOLLOW' });
    const reservation = held.movement.reservation?.id ?? reservationId('none');
    const answers = postAll(room.process(ports), [
      action(ship('A1', 1), { id: 'FOLLOW' }),
      same,
      same,
      same,
      action({ type: 'commit', reservation }, { id: 'FOLLOW' }),
      action({ type: 'commit', reservation }, { id: 'FOLLOW' }),
      action({ type: 'reverse', original }, { id: 'FOLLOW' }),
      action({ type: 'reverse', original }, { id: 'FOLLOW' }),
    ]);
    open();
    expect((await Promise.all(answers)).map((answer) => answer && outcome(answer))).toEqual([
      'moved',
      'moved',
      'replayed',
      'replayed',
      'moved',
      'reservation-committed',
      'moved',
      'movement-reversed',
    ]);
    expect((await room.document('FOLLOW')).levels).toEqual([{ location: 'A1', onHand: 82 }]);
    await expectEachOnce('FOLLOW', [same]);
  });

  it('gives one key one effect when it stands in two batches of two processes at once', async () => {
    await room.stockSku('TWICE', { A1: 1_000 });
    const processes = [room.process(), room.process()] as const;
    for (let round = 0; round < 10; round += 1) {
      const shared = action(ship('A1', 3), { id: 'TWICE' });
      const others = Array.from({ length: 10 }, () => action(ship('A1', 1), { id: 'TWICE' }));
      const answers = await Promise.all(
        processes.flatMap((inventory) => postAll(inventory, [...others.slice(0, 5), shared])),
      );
      const shareds = [answers[5], answers[11]];
      expect(shareds.map((answer) => answer && outcome(answer)).toSorted()).toEqual([
        'moved',
        'replayed',
      ]);
      await expectEachOnce('TWICE', [shared]);
    }
  });
});

describe('a lane that is full', () => {
  it('turns the next request away at once, with a time to come back', async () => {
    await room.stockSku('FULLLANE', { A1: 5_000 });
    const { ports, open } = gated(room.ports());
    const inventory = room.process(ports);
    const requests = Array.from({ length: 1_005 }, () => action(ship('A1', 1), { id: 'FULLLANE' }));
    const answers = postAll(inventory, requests);
    const last = await answers.at(-1);
    expect(last).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 });
    open();
    const words = (await Promise.all(answers)).map((answer) => answer && outcome(answer));
    expect(words.filter((word) => word === 'moved')).toHaveLength(1_001);
    expect(words.filter((word) => word === 'unavailable')).toHaveLength(4);
  });
});
