/** The connection to MongoDB, every option of it stated. */
import { MongoClient } from 'mongodb';

/** How long one operation may work in the database, in milliseconds. */
export const maxTimeMS = 3_000;

/**
 * A client that is not connected yet; it connects with the first operation and again after every
 * loss. Credentials and TLS are the URI's affair.
 */
export function createClient(uri: string): MongoClient {
  return new MongoClient(uri, {
    appName: 'stockroom',
    // An acknowledged write is on a majority's disks.
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: 5_000 },
    readConcern: { level: 'majority' },
    readPreference: 'primary',
    retryWrites: true,
    retryReads: true,
    connectTimeoutMS: 3_000,
    serverSelectionTimeoutMS: 3_000,
    socketTimeoutMS: 10_000,
    // Waiting longer for a connection than a write takes would only hide an overload.
    waitQueueTimeoutMS: 500,
    maxPoolSize: 40,
    minPoolSize: 0,
    ignoreUndefined: false,
  });
}
