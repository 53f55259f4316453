/** A film of one barcode, as a camera in front of it would see it. */
import { writeFile } from 'node:fs/promises';
import bwip from 'bwip-js/node';
import { z } from 'zod';

const [width, height] = [640, 480];
const white = 235;
const black = 16;
const frames = 5;
const pixelsAModule = 4;

/** Bars and spaces in turn, each so many modules wide. */
const drawn = z.array(z.object({ sbs: z.array(z.number()) })).min(1);

/** Writes an uncompressed film (YUV4MPEG2). */
export async function filmBarcode(file: string, digits: string): Promise<void> {
  const [symbol] = drawn.parse(bwip.raw({ bcid: 'ean13', text: digits }));
  const luma = Buffer.alloc(width * height, white);
  const row = rowOf(symbol?.sbs ?? []);
  for (let y = height / 4; y < (height * 3) / 4; y += 1) row.copy(luma, y * width);
  const chroma = Buffer.alloc((width * height) / 2, 128);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, chroma]);
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`);
  await writeFile(file, Buffer.concat([head, ...Array.from({ length: frames }, () => frame)]));
}

function rowOf(modules: readonly number[]): Buffer {
  const row = Buffer.alloc(width, white);
  const drawnWidth = modules.reduce((sum, one) => sum + one, 0) * pixelsAModule;
  let x = Math.floor((width - drawnWidth) / 2);
  modules.forEach((one, index) => {
    row.fill(index % 2 === 0 ? black : white, x, x + one * pixelsAModule);
    x += one * pixelsAModule;
  });
  return row;
}
