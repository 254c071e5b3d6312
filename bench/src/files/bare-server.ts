// The least that Node does to give a file: a process of its own that ends with its parent.
import { once } from 'node:events';
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream';

const [port, ...paths] = process.argv.slice(2);

process.once('disconnect', () => process.exit());
const server = createServer((request, response) => {
  const path = paths[Number(request.url?.slice(1))] ?? '';
  response.writeHead(200, { 'Content-Length': statSync(path).size });
  pipeline(createReadStream(path), response, () => {});
}).listen(Number(port), '127.0.0.1');
await once(server, 'listening');
process.send?.('listening');
