import type { WebState } from '../../web-build/index.ts';

const style = `
  :root { color-scheme: light dark; }
  body { display: grid; place-content: center; min-height: 100vh; margin: 0; padding: 20px; box-sizing: border-box;
    font: 14px/22px Inter, system-ui, sans-serif;
    color: light-dark(#19201d, #edf0ef); background: light-dark(#fefffe, #151a18); }
  h1 { font-size: 20px; line-height: 28px; margin: 0 0 4px; }
  p { max-width: 60ch; margin: 0; color: light-dark(#3e4643, #c4cbc8); }
  a { color: light-dark(#005b6d, #7acce1); }
`;

const explorer = '<a href="/api/explorer/">API explorer</a>';

function wordsOf(state: WebState): { title: string; text: string; seconds: number } {
  if (state.kind === 'failed')
    return {
      title: 'The web application could not be built',
      text: `The service has written the reason to its log. <code>atelier web build</code> tries again. The API is served all the same: see the ${explorer}.`,
      seconds: 10,
    };
  return {
    title: 'Atelier is getting ready',
    text: 'Its pages are being built, which takes some seconds after an upgrade. This page goes on by itself.',
    seconds: 1,
  };
}

/** What people see who come before there is an application to see. It looks again by itself. */
export function waitingPage(state: WebState, nonce: string): string {
  const { title, text, seconds } = wordsOf(state);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${seconds}">
<title>${title}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body><main><h1>${title}</h1><p>${text}</p></main></body>
</html>
`;
}

/** Styles of its own, and nothing else. */
export const waitingPolicy = (nonce: string) =>
  `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
