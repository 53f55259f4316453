import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { filmBarcode } from '../support/barcode-video.ts';
import { hasBrowser, phone, signedIn, useBrowser } from '../support/browser.ts';
import { useService } from '../support/service.ts';

const gtin = '4006381333931';

describe.skipIf(!hasBrowser)('the camera', () => {
  const service = useService();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'stockroom-film-'));
  const film = path.join(folder, 'barcode.y4m');
  beforeAll(() => filmBarcode(film, gtin));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const browser = useBrowser([
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${film}`,
  ]);

  it('reads a barcode that is held before it', async () => {
    await service.client.put('/v1/skus/FILMED', {
      description: 'Seen by a camera',
      barcodes: [{ code: gtin }],
    });
    const context = await browser.context(phone);
    await context.grantPermissions(['camera'], { origin: service.client.url });
    const page = await signedIn(context, `${service.client.url}/scan`, service.secret);
    await page.getByRole('button', { name: 'Use the camera' }).click();
    await page.getByRole('heading', { name: 'FILMED' }).waitFor();
  });
});
