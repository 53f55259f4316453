/** SKUs, locations and what stands where, as answers show them. */
import { z } from 'zod';
import { locationKinds } from '../../domain/location.ts';
import { skuStatuses } from '../../domain/sku.ts';
import type { Shown } from './shown.ts';
import { instantShown, units, version } from './shown.ts';

export const locationShown = z
  .strictObject({
    location: z.string(),
    warehouse: z.string(),
    name: z.string().exactOptional(),
    kind: z.enum(locationKinds),
    version,
    retiredAt: instantShown.exactOptional(),
  })
  .meta({
    id: 'Location',
    examples: [{ location: 'A-01', warehouse: 'NORTH', kind: 'storage', version: 1 }],
  });
export type LocationShown = Shown<typeof locationShown>;

const definition = {
  sku: z.string(),
  description: z.string(),
  baseUnit: z.string(),
  packs: z.array(z.strictObject({ unit: z.string(), contains: units })),
  barcodes: z.array(z.strictObject({ code: z.string(), unit: z.string().exactOptional() })),
  reorderPoint: units.exactOptional(),
  status: z.enum(skuStatuses),
  version,
};

export const definitionShown = z.strictObject(definition).meta({
  id: 'SkuDefinition',
  examples: [
    {
      sku: 'TEA-100',
      description: 'Black tea, 100 g',
      baseUnit: 'each',
      packs: [{ unit: 'case', contains: 12 }],
      barcodes: [],
      status: 'active',
      version: 1,
    },
  ],
});
export type DefinitionShown = Shown<typeof definitionShown>;

const quantities = { onHand: units, reserved: units, available: units };

const sku = {
  ...definition,
  lastActionId: z.string(),
  movementCount: z.int().min(0),
  totals: z.strictObject(quantities),
  levels: z.array(
    z.strictObject({
      location: z.string(),
      warehouse: z.string(),
      kind: z.enum(locationKinds),
      ...quantities,
    }),
  ),
  reservations: z.array(
    z.strictObject({
      id: z.string(),
      location: z.string(),
      quantity: units,
      expiresAt: instantShown.nullable(),
    }),
  ),
  asOf: instantShown,
};

export const skuShown = z.strictObject(sku).meta({ id: 'Sku' });
export type SkuShown = Shown<typeof skuShown>;

export const skuOfBarcodeShown = z
  .strictObject({
    ...sku,
    barcode: z
      .strictObject({ code: z.string(), unit: z.string() })
      .meta({ description: 'The code that was asked for, and the unit that it stands on.' }),
  })
  .meta({ id: 'SkuOfBarcode' });

export const standingShown = z
  .strictObject({
    sku: z.string(),
    description: z.string(),
    baseUnit: z.string(),
    ...quantities,
  })
  .meta({ id: 'StandingStock' });
export type StandingShown = Shown<typeof standingShown>;

export const levelsShown = z
  .strictObject({
    sku: z.string(),
    at: instantShown,
    levels: z.array(z.strictObject({ location: z.string(), onHand: units })),
  })
  .meta({ id: 'LevelsAt' });

export const verificationShown = z
  .strictObject({
    sku: z.string(),
    ok: z.boolean(),
    checks: z.array(z.strictObject({ name: z.string(), ok: z.boolean(), detail: z.string() })),
  })
  .meta({ id: 'Verification' });
