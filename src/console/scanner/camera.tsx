/** Reads barcodes from the camera: by the browser's own reader, else by one that is loaded then. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { texts } from '../texts.ts';

const formats = [
  'code_128',
  'data_matrix',
  'ean_13',
  'ean_8',
  'itf',
  'qr_code',
  'upc_a',
  'upc_e',
] as const;

const betweenLooksMs = 150;

interface Reader {
  readonly detect: (video: HTMLVideoElement) => Promise<readonly { readonly rawValue: string }[]>;
}

async function readerOf(): Promise<Reader> {
  const [{ BarcodeDetector, prepareZXingModule }, { default: wasm }] = await Promise.all([
    import('barcode-detector/ponyfill'),
    import('zxing-wasm/reader/zxing_reader.wasm?url'),
  ]);
  prepareZXingModule({
    overrides: { locateFile: (path: string) => (path.endsWith('.wasm') ? wasm : path) },
  });
  return new BarcodeDetector({ formats: [...formats] });
}

export function Camera({
  scanned,
  close,
}: {
  readonly scanned: (code: string) => void;
  readonly close: () => void;
}) {
  const video = useRef<HTMLVideoElement>(null);
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    const leaving = new AbortController();
    watch(video.current, leaving.signal)
      .then((code) => {
        if (code !== undefined) scanned(code);
      })
      .catch((error: unknown) => {
        setFailure(texts.camera.failed(error instanceof Error ? error.message : String(error)));
      });
    return () => {
      leaving.abort();
    };
  }, []);
  return (
    <div class="camera">
      {failure === undefined ? (
        <video ref={video} muted playsInline aria-label={texts.camera.label} />
      ) : (
        <p role="alert" class="refused">
          {failure}
        </p>
      )}
      <button type="button" onClick={close}>
        {texts.camera.close}
      </button>
    </div>
  );
}

/** @returns the first code that is seen; undefined when left before. */
async function watch(
  video: HTMLVideoElement | null,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (video === null) return undefined;
  const [stream, reader] = await Promise.all([
    navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } }),
    readerOf(),
  ]);
  try {
    video.srcObject = stream;
    await video.play();
    while (!signal.aborted) {
      const [seen] = await reader.detect(video);
      if (seen !== undefined) return seen.rawValue;
      await new Promise((resolve) => setTimeout(resolve, betweenLooksMs));
    }
    return undefined;
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}
