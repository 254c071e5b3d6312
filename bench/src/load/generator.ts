// The load generator as a process of its own: an order as JSON on stdin, the result as JSON on stdout.
import { text } from 'node:stream/consumers';
import { generateLoad, type LoadOrder } from './load.ts';

const order: LoadOrder = JSON.parse(await text(process.stdin));
process.stdout.write(JSON.stringify(await generateLoad(order)));
