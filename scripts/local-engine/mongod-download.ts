/**
 * Has mongodb-memory-server download a mongod, and prints `binary PATH`. The library prints its
 * progress on stdout as well.
 */
import { MongoBinary } from 'mongodb-memory-server';

process.stdout.write(`binary ${await MongoBinary.getPath()}\n`);
