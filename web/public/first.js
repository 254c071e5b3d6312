// Runs before anything is painted: the theme and density that were chosen on this device, so that nothing flashes; what was seen at this
// address the last time, until the application has drawn it itself; and words for browsers in which the application cannot run. It keeps to
// what those understand, too.
{
  const root = document.documentElement;
  const kept = (name) => {
    try {
      return localStorage.getItem(`atelier.${name}`);
    } catch (_) {
      // Storage is switched off: the usual look does.
      return null;
    }
  };
  const choose = (name, values) => {
    const value = kept(name);
    if (values.includes(value)) root.dataset[name] = value;
  };
  choose('theme', ['light', 'dark']);
  choose('density', ['compact']);

  const isNewEnough =
    CSS.supports('color', 'light-dark(#000, #fff)') && typeof Promise.withResolvers === 'function';
  const say = () => {
    document.getElementById('too-old').hidden = false;
  };
  if (!isNewEnough) document.addEventListener('DOMContentLoaded', say);

  // Written by `kept-drawing.ts`: an element is its name, its attributes and what is in it.
  const draw = (parent, [name, attributes, ...content]) => {
    const space = name === 'svg' ? 'http://www.w3.org/2000/svg' : parent.namespaceURI;
    const element = document.createElementNS(space, name);
    for (const [key, value] of attributes)
      if (key === 'style') element.style.cssText = value;
      else element.setAttribute(key, value);
    for (const part of content)
      if (typeof part === 'string') element.append(part);
      else draw(element, part);
    parent.append(element);
  };

  /** A style sheet that only this page has, and that the application asks for later. */
  const load = (href) =>
    new Promise((done) => {
      if (document.querySelector(`link[rel=stylesheet][href="${href}"]`)) return done();
      const link = document.createElement('link');
      // As the document asks for it ahead.
      Object.assign(link, { rel: 'stylesheet', crossOrigin: '', href, onload: done });
      document.head.append(link);
    });

  const show = ({ build, styles, drawing }) => {
    // Of another build the style sheets are others.
    if (!document.querySelector(`[src="${build}"]`)) return;
    const place = document.createElement('div');
    place.id = 'drawing';
    // Presses reach what the application has drawn below it.
    place.inert = true;
    place.ariaHidden = 'true';
    draw(place, drawing);
    let frames = 300;
    // Until the application shows what was asked for, and not the outline of it.
    const look = () => {
      const isThere = document.querySelector('#root main') && !document.querySelector('#root [data-outline]');
      if (isThere || frames-- === 0) place.remove();
      else requestAnimationFrame(look);
    };
    Promise.all(styles.map(load)).then(() => {
      document.body.append(place);
      look();
    });
  };

  const last = isNewEnough && kept(`drawing ${kept('person')} ${innerWidth} ${location.href}`);
  if (last)
    new MutationObserver((_, observer) => {
      if (!document.body) return;
      observer.disconnect();
      show(JSON.parse(last));
    }).observe(root, { childList: true });
}
