import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const rows = Array.from(
  { length: 40 },
  (_, at) =>
    `<tr role="row" tabindex="-1"><td><a href="/artifacts/${at}">Row ${at}</a></td><td>Open</td></tr>`,
).join('');

/** The least that a page can be: forty rows, and a key that moves a mark among them. */
const page = `<!doctype html><html lang="en"><title>Floor</title><style>.on{background:#def}</style>
<table role="grid"><tbody>${rows}</tbody></table>
<script>let at = 0; const all = document.querySelectorAll('tr');
addEventListener('keydown', ({ key }) => { if (key !== 'j') return;
all[at].className = ''; at = (at + 1) % all.length; all[at].className = 'on'; });</script></html>`;

export interface Floor extends AsyncDisposable {
  readonly url: string;
}

export async function startFloor(): Promise<Floor> {
  const server: Server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end(page);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
