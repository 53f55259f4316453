declare module 'gs1-barcode-parser-mod' {
  interface ParsedItem {
    /** The application identifier. */
    readonly ai: string;
    readonly data: string | number | Date;
    /** `YYYY-MM-DD` of a date, else empty. */
    readonly isoDate: string;
  }
  /** @throws where the text is no element string. */
  export function parseBarcode(text: string): { readonly parsedCodeItems: readonly ParsedItem[] };
}
