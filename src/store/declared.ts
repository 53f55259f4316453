/** What a collection is declared to be: its validator and its indexes. */
import type { Document } from 'mongodb';

export interface DeclaredIndex {
  readonly name: string;
  readonly key: Record<string, 1 | -1>;
  readonly unique?: true;
  readonly sparse?: true;
  readonly partialFilterExpression?: Document;
}

export interface DeclaredCollection {
  readonly name: string;
  readonly validator: Document;
  readonly indexes: readonly DeclaredIndex[];
}
