/** The document on counts that open by themselves. */
import { cycleCountShown, removedCycleCountShown } from '../answers/cycle-count.ts';
import { pageShown } from '../answers/shown.ts';
import type { OperationDocs } from './operation.ts';
import { shown } from './operation.ts';

const one = '/v1/cycle-counts/{name}';

export const cycleCountDocs: OperationDocs = {
  'GET /v1/cycle-counts': {
    id: 'listCycleCounts',
    tag: 'Stock counts',
    summary: 'List cycle counts',
    answers: shown('A page of cycle counts.', pageShown(cycleCountShown)),
    refuses: [],
  },
  [`GET ${one}`]: {
    id: 'getCycleCount',
    tag: 'Stock counts',
    summary: 'Show a cycle count',
    answers: shown('The cycle count, and when the next count opens.', cycleCountShown),
    refuses: ['not-found'],
  },
  [`PUT ${one}`]: {
    id: 'putCycleCount',
    tag: 'Stock counts',
    summary: 'Let a count open again and again',
    description:
      'A count opens over the locations, or over these SKUs there, whenever it is due; `every`, ' +
      '`timeZone` and `at` are as in a reminder. A time at which an open count covers any of it ' +
      'is left out and logged as `cycle-count-skipped`.',
    answers: {
      201: { what: 'The cycle count is new.', schema: cycleCountShown },
      200: { what: 'The cycle count as it now is.', schema: cycleCountShown },
    },
    refuses: ['unknown-location', 'unknown-sku'],
    example: {
      locations: ['A-01', 'A-02'],
      blind: true,
      every: '0 6 * * 1',
      timeZone: 'Europe/Amsterdam',
    },
  },
  [`DELETE ${one}`]: {
    id: 'removeCycleCount',
    tag: 'Stock counts',
    summary: 'Let no more counts open',
    description: 'Counts that were opened stay. The same answer whether it was there or not.',
    answers: shown('There is none any more.', removedCycleCountShown),
    refuses: [],
  },
};
