/**
 * Asks mongodb-memory-server for a mongod: `locate` looks on this machine only, `download` fetches
 * one. Prints `binary PATH` when there is one; the library prints its progress.
 */
import { DryMongoBinary, MongoBinary } from 'mongodb-memory-server';

async function find(mode: string | undefined): Promise<string | undefined> {
  if (mode !== 'locate') return MongoBinary.getPath();
  return DryMongoBinary.locateBinary(await DryMongoBinary.generateOptions());
}

const binary = await find(process.argv[2]);
if (binary !== undefined) process.stdout.write(`binary ${binary}\n`);
