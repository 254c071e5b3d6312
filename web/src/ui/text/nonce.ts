/** The number that lets style sheets of a library into the page, where the document has one. */
export function styleNonce(): string {
  const holder = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  return holder?.nonce || holder?.content || '';
}
